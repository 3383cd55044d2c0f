import type { RouterOutputs } from "@cardbridge/trpc-client";
import { shared } from "../lib/words.ts";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  service: "Service",
  version: "Version",
  commit: "Commit",
  fourEyes: "Four eyes",
  fourEyesOn: "on: some acts need two persons",
  fourEyesOff: "off: one person decides alone",
  restore: "Last restore check",
  restoreNever: "never checked",
  restoreText:
    "A backup that nobody restored may not work. See “The check of a restored database” in the guide.",
} as const;

export type Status = RouterOutputs["service"]["status"];

/** The version that answers, four eyes, and when a restore was last checked. */
export function ServiceFacts({ status }: { status: Status }) {
  const { version, commit, fourEyes, restoreCheckedAt, provider } = status;
  return (
    <Section title={words.service}>
      <Card>
        <dl>
          <Fact name={words.version}>
            <span className="mono">{version}</span>
          </Fact>
          <Fact name={words.commit}>{commit === null ? shared.none : <Id id={commit} />}</Fact>
          <Fact name={shared.home.provider}>{provider.name}</Fact>
          <Fact name={words.fourEyes}>{fourEyes ? words.fourEyesOn : words.fourEyesOff}</Fact>
          <Fact name={words.restore}>
            {restoreCheckedAt === null ? (
              <StateMark meaning="attention" word={words.restoreNever} />
            ) : (
              <Time at={restoreCheckedAt} copy />
            )}
          </Fact>
        </dl>
      </Card>
      {restoreCheckedAt === null && <p className="mt-2 text-13 text-muted">{words.restoreText}</p>}
    </Section>
  );
}
