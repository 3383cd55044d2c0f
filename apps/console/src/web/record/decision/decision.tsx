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
  /** The form is shown if it is not 0, and gets the focus when it changes. */
  entering: number;
  onClose(): void;
}

/** The provider's decision, which somebody enters who heard it outside of this console, and what came of it. */
export function Decision({ record, platform, seen, reload, entering, onClose }: Props) {
  const decide = useDecide(record, seen, reload, onClose);
  const { data } = decide;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (entering === 0) return;
    place.current?.scrollIntoView({ block: "nearest" });
    place.current?.querySelector("input")?.focus();
  }, [entering]);
  if (entering === 0 && !data) return null;
  return (
    <div ref={place} className="scroll-my-20">
      <Section title={words.title}>
        {entering > 0 ? (
          <Card>
            <DecisionForm {...{ record, platform, seen, decide, reload }} onCancel={onClose} />
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
