import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import type { Attempted } from "../api/shapes.ts";
import { attemptLines } from "../lib/reply.ts";
import { stateOf } from "../lib/why.ts";
import { patchRow, rowFields } from "../queue/patch-row.ts";
import { words } from "../words.ts";

export type Action = "refresh" | "resend" | "requeue";
export const actions: readonly Action[] = ["refresh", "resend", "requeue"];
export const isAction = (name: string | null): name is Action => actions.some((action) => action === name);

/** What came of an action. */
interface Done {
  changed: boolean;
  lines: string[];
}

/** Runs what an operator does with a record. The result is words for the place where it was started. */
export function useActions(kycRecordId: string, reload: () => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (action: Action): Promise<Done> => {
      const { result } = words.record;
      if (action === "requeue") {
        patchRow(queries, kycRecordId, rowFields(await client.records.requeue.mutate({ kycRecordId })));
        return { changed: true, lines: [result.requeued] };
      }
      const attempted = await client.records[action].mutate({ kycRecordId });
      if (attempted.after) patchRow(queries, kycRecordId, rowFields(attempted.after));
      return describe(attempted);
    },
    onSettled: reload,
  });
}

/** What the provider replied, and what it changed. */
function describe({ before, after, ...replies }: Attempted): Done {
  const { result } = words.record;
  const lines = attemptLines(replies);
  if (!after) return { changed: false, lines: [...lines, result.notStored] };
  const [from, to] = [stateOf(before).word, stateOf(after).word];
  const changed = from !== to;
  return { changed, lines: [...lines, changed ? result.changed(from, to) : result.unchanged] };
}
