import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import type { ProposalDetails } from "../api/shapes.ts";
import { stateOf } from "../lib/why.ts";
import { Icon } from "../ui/icon.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { Bar } from "../ui/states.tsx";
import { words } from "../words.ts";

const { proposals: say, users } = words;
const refreshMs = 15_000;

/** What the proposal is about, when it was proposed and now. */
export function Now({ proposal }: { proposal: ProposalDetails }) {
  if (proposal.state !== "open") return null;
  return proposal.kind === "approve" && proposal.kycRecordId !== null ? (
    <RecordNow kycRecordId={proposal.kycRecordId} />
  ) : (
    <UserNow proposal={proposal} />
  );
}

function RecordNow({ kycRecordId }: { kycRecordId: string }) {
  const options = api.records.state.queryOptions({ kycRecordId }, background);
  const { data } = useQuery({ ...options, refetchInterval: refreshMs });
  const now = data && (data.resolution === "unresolved" ? say.thenUnresolved : stateOf(data).word);
  return <ThenAndNow then={say.thenUnresolved} now={now} moved={now !== say.thenUnresolved} />;
}

function UserNow({ proposal: { platformId, externalUserId, kind, holdId } }: { proposal: ProposalDetails }) {
  const user = useQuery(api.users.show.queryOptions({ platformId, externalUserId })).data;
  const holds = useQuery(
    api.holds.list.queryOptions({ platformId, externalUserId }, { enabled: kind === "liftHold" }),
  ).data?.holds;
  if (kind === "liftHold") {
    const hold = holds?.find((one) => one.holdId === holdId);
    const now = hold && (hold.active ? say.thenActive : words.userActs.holdEnded);
    return <ThenAndNow then={say.thenActive} now={now} moved={hold?.active === false} />;
  }
  const now = user && [users.erasure[user.erasure], user.held && users.held].filter(Boolean).join(" · ");
  return (
    <ThenAndNow then={users.erasure.none} now={now} moved={user !== undefined && user.erasure !== "none"} />
  );
}

function ThenAndNow({ then, now, moved }: { then: string; now: string | undefined; moved: boolean }) {
  return (
    <Section title={say.now}>
      <Card>
        <dl>
          <Fact name={say.whenProposed}>{then}</Fact>
          <Fact name={say.nowIs}>
            {now === undefined ? (
              <Bar className="h-4 w-32" />
            ) : (
              <strong className="font-semibold">{now}</strong>
            )}
          </Fact>
        </dl>
        {now !== undefined && (
          <p
            className={`flex items-start gap-2 border-t border-line px-4 py-2 ${moved ? "text-attention" : "text-muted"}`}
          >
            <Icon name={moved ? "warning" : "check"} className="mt-0.5" />
            {moved ? say.moved : say.same}
          </p>
        )}
      </Card>
    </Section>
  );
}
