import { useMe } from "../../lib/use-me.ts";
import { Icon } from "../../ui/icon.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { words } from "../../words.ts";
import { ClosedEvidence } from "./closed.tsx";
import { OpenedEvidence } from "./opened.tsx";
import type { Evidence as State } from "./use-evidence.ts";

const { evidence: say } = words;

/** What the person submitted: closed until somebody gives a purpose. */
export function Evidence({ evidence }: { evidence: State }) {
  const { may } = useMe();
  const { opened, close } = evidence;
  return (
    <Section title={say.title}>
      {opened ? (
        <OpenedEvidence opened={opened} close={close} />
      ) : (
        <Card>
          {may("ops.evidence") ? (
            <ClosedEvidence {...evidence} />
          ) : (
            <p className="flex items-center gap-2 px-4 py-3 text-muted">
              <Icon name="lock" /> {say.mayNot}
            </p>
          )}
        </Card>
      )}
    </Section>
  );
}
