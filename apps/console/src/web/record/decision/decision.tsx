import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, client } from "../../api/client.ts";
import type { ShownRecord } from "../../api/shapes.ts";
import { stateOf } from "../../lib/why.ts";
import { patchRow, rowFields } from "../../queue/patch-row.ts";
import { Notice } from "../../ui/notice.tsx";
import { Card, Section } from "../../ui/section.tsx";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { DecisionForm } from "./decision-form.tsx";
import { type Draft, toDecision } from "./draft.ts";

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

export type Decide = ReturnType<typeof useDecide>;

/** Stores a decision, or proposes an approval, about the record and the evidence that the person saw. */
function useDecide(
  { kycRecordId, version }: ShownRecord,
  seen: OpenEvidence | undefined,
  reload: () => Promise<void>,
  onDone: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (draft: Draft) =>
      client.records.resolve.mutate({
        kycRecordId,
        decision: toDecision(draft),
        version: seen?.version ?? version,
        ...(seen && { evidenceHash: seen.evidenceHash }),
        note: draft.note.trim(),
      }),
    onSuccess: async ({ after }) => {
      onDone();
      patchRow(queries, kycRecordId, rowFields(after));
      await Promise.all([reload(), queries.invalidateQueries(api.proposals.list.queryFilter())]);
    },
  });
}
