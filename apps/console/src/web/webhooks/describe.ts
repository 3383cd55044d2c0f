import type { Meaning } from "../lib/why.ts";
import { words } from "./words.ts";

const meanings: Record<string, Meaning> = { pending: "waiting", delivered: "good", failed: "bad" };

/** A state as shape and word. The service may learn further states. */
export const stateOfDelivery = (status: string): { meaning: Meaning; word: string } => ({
  meaning: meanings[status] ?? "plain",
  word: wordOf(words.statusOf, status),
});

export const eventWord = (type: string): string => wordOf(words.typeOf, type);

/** What the receiver answered, or why there is no answer. */
export function answerOf({ status, reason }: { status: number | null; reason: string | null }): string {
  if (status !== null) return words.http(status);
  return reason === null ? words.noAnswer : wordOf(words.reasons, reason);
}

/** The words for a code; the code itself if it is newer than these words. */
const wordOf = (texts: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] ?? code) : code;
