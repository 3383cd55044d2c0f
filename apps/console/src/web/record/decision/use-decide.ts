import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, client } from "../../api/client.ts";
import type { ShownRecord } from "../../api/shapes.ts";
import { patchRow, rowFields } from "../../queue/patch-row.ts";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { type Draft, toDecision } from "./draft.ts";

export type Decide = ReturnType<typeof useDecide>;

/** Stores a decision, or proposes an approval, about the record and the evidence that the person saw. */
export function useDecide(
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
