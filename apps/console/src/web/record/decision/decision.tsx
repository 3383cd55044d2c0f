import { useEffect, useRef } from "react";
import type { ShownRecord } from "../../api/shapes.ts";
import { stateOf } from "../../lib/why.ts";
import { Notice } from "../../ui/notice.tsx";
import { Card, Section } from "../../ui/section.tsx";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { DecisionForm } from "./decision-form.tsx";
import { useDecide } from "./use-decide.ts";

const words = {
  title: "Decision",
  proposed: "The approval is proposed. It waits for another person.",
  stored: (before: string, after: string) => `Stored: ${before} → ${after}`,
} as const;

interface Props {
  record: ShownRecord;
  platform: string;
  seen: OpenEvidence | undefined;
  reload(): Promise<void>;
  /** Whether the form is shown. */
  entering: boolean;
  onEnter(entering: boolean): void;
}

/** The provider's decision, which somebody enters who heard it outside of this console, and what came of it. */
export function Decision({ record, platform, seen, reload, entering, onEnter }: Props) {
  const decide = useDecide(record, seen, reload, () => onEnter(false));
  const { data } = decide;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!entering) return;
    place.current?.scrollIntoView({ block: "nearest" });
    place.current?.querySelector("input")?.focus();
  }, [entering]);
  if (!entering && !data) return null;
  return (
    <div ref={place} className="scroll-my-20">
      <Section title={words.title}>
        {entering ? (
          <Card>
            <DecisionForm {...{ record, platform, seen, decide, reload }} onCancel={() => onEnter(false)} />
          </Card>
        ) : (
          data && (
            <div role="status">
              <Notice meaning={data.proposal ? "waiting" : "good"}>
                {data.proposal
                  ? words.proposed
                  : words.stored(stateOf(data.before).word, stateOf(data.after).word)}
              </Notice>
            </div>
          )
        )}
      </Section>
    </div>
  );
}
