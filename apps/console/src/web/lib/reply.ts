import { shared } from "./words.ts";

/** What the provider replied, in the service's words. */
interface Reply {
  outcome: string;
  words: string;
}

const { result } = shared.record;

/** What came of an attempt in sentences: one about asking, and one about sending if it came to that. */
export function attemptLines({ asked, sent }: { asked: Reply; sent: Reply | null }): string[] {
  return [replyLine(asked, result.asked), ...(sent ? [replyLine(sent, result.sent)] : [])];
}

/** The provider's reply as a sentence, which `say` begins; a call that was not made has no reply. */
export const replyLine = ({ outcome, words }: Reply, say: (reply: string) => string): string =>
  outcome === "unsent" ? result.unsent(words) : say(words);
