import { skipToken, useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import type { ProposalDetails } from "../api/shapes.ts";
import { Icon } from "../ui/icon.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { Bar } from "../ui/states.tsx";
import { compare } from "./compare.ts";

const words = {
  now: "Then and now",
  whenProposed: "When proposed",
  nowIs: "Now",
} as const;

const refreshMs = 15_000;

/** What the proposal is about, when it was proposed and now. The proposal is read again while it is open. */
export function Now({ proposal }: { proposal: ProposalDetails }) {
  const { proposalId, kind, state, kycRecordId } = proposal;
  const repeated = { refetchInterval: state === "open" ? refreshMs : (false as const) };
  useQuery({ ...api.proposals.get.queryOptions({ proposalId }, { gcTime: 0, ...background }), ...repeated });
  const about = kind === "approve" && kycRecordId !== null ? { kycRecordId } : skipToken;
  const record = useQuery({ ...api.records.state.queryOptions(about, background), ...repeated }).data;
  if (state !== "open" && state !== "void") return null;
  const compared = compare(proposal, record);
  return (
    <Section title={words.now}>
      <Card>
        {compared ? (
          <>
            <dl>
              <Fact name={words.whenProposed}>{compared.then}</Fact>
              <Fact name={words.nowIs}>
                <strong className="font-semibold">{compared.now}</strong>
              </Fact>
            </dl>
            <p
              className={`flex items-start gap-2 border-t border-line px-4 py-2 ${compared.isMoved ? "text-attention" : "text-muted"}`}
            >
              <Icon name={compared.isMoved ? "warning" : "check"} className="mt-0.5" />
              {compared.text}
            </p>
          </>
        ) : (
          <div className="p-4">
            <Bar className="h-14 w-full" />
          </div>
        )}
      </Card>
    </Section>
  );
}
