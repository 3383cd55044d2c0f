import { attemptWords } from "./why.ts";
import { shared } from "./words.ts";

/** What the provider replied. */
interface Reply {
  outcome: "answered" | "refused" | "not-found" | "unknown" | "unsent";
  subStatus?: string;
  reason?: string;
}

const { result } = shared.record;

/** What came of an attempt in sentences: one about asking, and one about sending if it came to that. */
export function attemptLines({ asked, sent }: { asked: Reply; sent: Reply | null }): string[] {
  return [replyLine(asked, result.asked), ...(sent ? [replyLine(sent, result.sent)] : [])];
}

/** The provider's reply as a sentence, which `say` begins; a call that was not made has no reply. */
export function replyLine(
  { outcome, subStatus, reason = "" }: Reply,
  say: (reply: string) => string,
): string {
  const { replies } = result;
  if (outcome === "unsent") return result.unsent(attemptWords({ outcome, reason }));
  if (outcome === "answered") return say(replies.answered(subStatus ?? shared.none));
  if (outcome === "unknown") return say(replies.unknown(attemptWords({ outcome, reason })));
  return say(replies[outcome]);
}
