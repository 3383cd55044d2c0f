import { useEffect, useRef } from "react";
import type { ShownRecord } from "../../api/shapes.ts";
import { useMe } from "../../lib/use-me.ts";
import { stateOf } from "../../lib/why.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { Button } from "../../ui/button.tsx";
import { RecentSignIn, useIsRecent } from "../../ui/recent-sign-in.tsx";
import { Card, Section } from "../../ui/section.tsx";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { DecisionForm } from "./decision-form.tsx";
import { useDecide } from "./use-decide.ts";

const words = {
  title: "Decision",
  proposed: "The approval is proposed.",
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

/** The provider's decision, which somebody enters who heard it outside of this console. */
export function Decision({ record, platform, seen, reload, entering, onEnter }: Props) {
  const decide = useDecide(record, seen, reload);
  const isRecent = useIsRecent();
  const { may } = useMe();
  const { data } = decide;
  useEffect(() => {
    if (data) onEnter(false);
  }, [data, onEnter]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (entering) place.current?.scrollIntoView({ block: "nearest" });
  }, [entering]);
  const mayEnter = may("ops.records.decide") && record.resolution === "unresolved";
  // Where the decision is the next step, the head has the button.
  const isBelow = entering || data !== undefined || record.next.action !== "resolve";
  if ((!mayEnter && !data) || !isBelow) return null;
  return (
    <div ref={place} className="scroll-my-20">
      <Section title={words.title}>
        <Card>
          {data && (
            <div role="status" className="p-4">
              <Done {...data} />
            </div>
          )}
          {mayEnter && !entering && !data && (
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
              <p className="max-w-[52ch] text-muted">{shared.decision.closed}</p>
              <Button onClick={() => onEnter(true)}>{shared.decision.enter}</Button>
            </div>
          )}
          {mayEnter &&
            entering &&
            (isRecent ? (
              <DecisionForm {...{ record, platform, seen, decide, reload }} onCancel={() => onEnter(false)} />
            ) : (
              <div className="p-4">
                <RecentSignIn />
              </div>
            ))}
        </Card>
      </Section>
    </div>
  );
}

type Result = NonNullable<ReturnType<typeof useDecide>["data"]>;

const Done = ({ before, after, proposal }: Result) => (
  <Proposed
    proposal={proposal}
    proposed={words.proposed}
    done={words.stored(stateOf(before).word, stateOf(after).word)}
  />
);
