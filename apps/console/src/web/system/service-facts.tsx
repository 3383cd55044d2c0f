import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";

const { system: say } = words;
export type Status = RouterOutputs["service"]["status"];

/** The version that answers, four eyes, and when a restore was last checked. */
export function ServiceFacts({ status }: { status: Status }) {
  const { version, commit, fourEyes, restoreCheckedAt, provider } = status;
  return (
    <Section title={say.service}>
      <Card>
        <dl>
          <Fact name={say.version}>
            <span className="mono">{version}</span>
          </Fact>
          <Fact name={say.commit}>{commit === null ? words.none : <Id id={commit} />}</Fact>
          <Fact name={words.home.provider}>{provider.name}</Fact>
          <Fact name={say.fourEyes}>{fourEyes ? say.fourEyesOn : say.fourEyesOff}</Fact>
          <Fact name={say.restore}>
            {restoreCheckedAt === null ? (
              <StateMark meaning="attention" word={say.restoreNever} />
            ) : (
              <Time at={restoreCheckedAt} copy />
            )}
          </Fact>
        </dl>
      </Card>
      {restoreCheckedAt === null && <p className="mt-2 text-13 text-muted">{say.restoreText}</p>}
    </Section>
  );
}
