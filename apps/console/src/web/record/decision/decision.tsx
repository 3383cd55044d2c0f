import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Me, ShownRecord } from "../../api/shapes.ts";
import { has } from "../../lib/scopes.ts";
import { stateOf } from "../../lib/why.ts";
import { Button } from "../../ui/button.tsx";
import { FreshSignIn, useIsFresh } from "../../ui/fresh-sign-in.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { words } from "../../words.ts";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { DecisionForm } from "./decision-form.tsx";
import { useDecide } from "./use-decide.ts";

const { decision: say } = words;

interface Props {
  record: ShownRecord;
  platform: string;
  me: Me | undefined;
  seen: OpenEvidence | undefined;
  reload(): Promise<void>;
  /** Whether the form is shown. */
  entering: boolean;
  onEnter(entering: boolean): void;
}

/** The provider's decision, which somebody enters who heard it outside of this console. */
export function Decision({ record, platform, me, seen, reload, entering, onEnter }: Props) {
  const decide = useDecide(record, seen, reload);
  const isFresh = useIsFresh(me);
  const { data } = decide;
  useEffect(() => {
    if (data) onEnter(false);
  }, [data, onEnter]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (entering) place.current?.scrollIntoView({ block: "nearest" });
  }, [entering]);
  const mayEnter = has(me, "ops.records.decide") && record.resolution === "unresolved";
  // Where the decision is the next step, the head has the button.
  const isBelow = entering || data !== undefined || record.next.action !== "resolve";
  if ((!mayEnter && !data) || !isBelow) return null;
  return (
    <div ref={place} className="scroll-my-20">
      <Section title={say.title}>
        <Card>
          {data && (
            <div role="status" className="p-4">
              <Done {...data} />
            </div>
          )}
          {mayEnter && !entering && !data && (
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
              <p className="max-w-[52ch] text-muted">{say.closed}</p>
              <Button onClick={() => onEnter(true)}>{say.enter}</Button>
            </div>
          )}
          {mayEnter &&
            entering &&
            (isFresh ? (
              <DecisionForm {...{ record, platform, seen, decide, reload }} onCancel={() => onEnter(false)} />
            ) : (
              <div className="p-4">
                <FreshSignIn />
              </div>
            ))}
        </Card>
      </Section>
    </div>
  );
}

type Result = NonNullable<ReturnType<typeof useDecide>["data"]>;

function Done({ before, after, proposal }: Result) {
  if (!proposal) {
    return <Notice meaning="good">{say.stored(stateOf(before).word, stateOf(after).word)}</Notice>;
  }
  return (
    <Notice meaning="waiting">
      <p className="font-medium">{say.proposed}</p>
      <p>
        {words.acts.proposed}{" "}
        <Link
          to="/proposals/$proposalId"
          params={{ proposalId: proposal.proposalId }}
          className="font-medium underline underline-offset-3"
        >
          {words.acts.toProposal}
        </Link>
      </p>
    </Notice>
  );
}
