import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useMe } from "../lib/use-me.ts";
import { useActivePauses } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { Head } from "../ui/head.tsx";
import { Id } from "../ui/id.tsx";
import { Page } from "../ui/page.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Pauses } from "./pauses.tsx";
import { Processes } from "./processes.tsx";

const words = {
  title: "System",
  environmentText: {
    live: "Live: real people, real cards. What you do here takes effect.",
    test: "Test: nothing here reaches real people or cards.",
  },
  provider: "Provider",
  calls: (group: string) => `Calls of the provider: ${group}`,
  breaker: { closed: "answering", open: "held back", "half-open": "being tried again" },
  paused: "paused",
  service: "Service",
  version: "Version",
  commit: "Commit",
  fourEyes: "Four eyes",
  fourEyesOn: "on: some acts need two persons",
  fourEyesOff: "off: one person decides alone",
  restore: "Last restore check",
  restoreNever: "never: a backup that nobody restored may not work",
} as const;

const meanings = { closed: "good", open: "bad", "half-open": "waiting" } as const;

/** The service itself: its environment, health, version and pauses. */
export function SystemPage() {
  const { may } = useMe();
  const session = useSession();
  const status = useQuery(api.service.status.queryOptions({}));
  const environment = session.state === "signed-in" ? session.session.environment : "live";
  return (
    <Page>
      <Head title={words.title} lead={words.environmentText[environment]} />
      <div className="flex flex-col gap-6">
        <Pauses />
        {status.data ? (
          <div className="max-w-180">
            <Facts status={status.data} />
          </div>
        ) : status.error ? (
          <Card>
            <ErrorState error={status.error} onRetry={() => void status.refetch()} />
          </Card>
        ) : (
          <Bar className="h-48 w-full" />
        )}
        {may("ops.platforms") && <Processes />}
      </div>
    </Page>
  );
}

/** Whether the provider answers, and what runs. */
function Facts({ status }: { status: RouterOutputs["service"]["status"] }) {
  const { version, commit, fourEyes, restoreCheckedAt, provider } = status;
  const isPaused = useActivePauses().data?.pauses.some(({ target }) => target === "provider") ?? false;
  return (
    <Section title={words.service}>
      <Card>
        <dl>
          <Fact name={words.provider}>{provider.name}</Fact>
          {Object.entries(provider.breakers).map(([group, state]) => (
            <Fact key={group} name={words.calls(group)}>
              <StateMark
                meaning={isPaused ? "attention" : meanings[state]}
                word={isPaused ? words.paused : words.breaker[state]}
              />
            </Fact>
          ))}
          <Fact name={words.version}>
            <span className="mono">{version}</span>
          </Fact>
          <Fact name={words.commit}>{commit === null ? shared.none : <Id id={commit} />}</Fact>
          <Fact name={words.fourEyes}>{fourEyes ? words.fourEyesOn : words.fourEyesOff}</Fact>
          <Fact name={words.restore}>
            {restoreCheckedAt === null ? (
              <span className="text-attention">{words.restoreNever}</span>
            ) : (
              <Time at={restoreCheckedAt} />
            )}
          </Fact>
        </dl>
      </Card>
    </Section>
  );
}
