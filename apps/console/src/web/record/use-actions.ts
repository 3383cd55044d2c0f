import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import type { Attempted } from "../api/shapes.ts";
import { replyWords } from "../lib/reply.ts";
import { stateOf } from "../lib/why.ts";
import { words } from "../words.ts";

export type Action = "refresh" | "resend" | "requeue";
export const actions: readonly Action[] = ["refresh", "resend", "requeue"];
export const isAction = (name: string | null): name is Action => actions.some((action) => action === name);

/** Runs what an operator does with a record. The result is words for the place where it was started. */
export function useActions(kycRecordId: string, reload: () => Promise<void>) {
  return useMutation({
    mutationFn: async (action: Action): Promise<{ action: Action; lines: string[] }> => {
      const { result } = words.record;
      if (action === "requeue") {
        await client.records.requeue.mutate({ kycRecordId });
        return { action, lines: [result.requeued] };
      }
      return { action, lines: describe(await client.records[action].mutate({ kycRecordId })) };
    },
    onSettled: reload,
  });
}

/** What the provider replied, and what it changed. */
function describe({ before, after, asked, sent }: Attempted): string[] {
  const { result } = words.record;
  const lines = [result.asked(replyWords(asked))];
  if (sent) lines.push(result.sent(replyWords(sent)));
  if (!after) return [...lines, result.notStored];
  const [from, to] = [stateOf(before).word, stateOf(after).word];
  return [...lines, from === to ? result.unchanged : result.changed(from, to)];
}
