import { words } from "../words.ts";
import { attemptWords } from "./why.ts";

/** What the provider replied. */
interface Reply {
  outcome: "answered" | "refused" | "not-found" | "unknown" | "unsent";
  subStatus?: string;
  reason?: string;
}

/** The provider's reply in words. */
export function replyWords({ outcome, subStatus, reason = "" }: Reply): string {
  const { replies } = words.record.result;
  if (outcome === "answered") return replies.answered(subStatus ?? words.none);
  if (outcome === "unknown" || outcome === "unsent")
    return replies[outcome](attemptWords({ outcome, reason }));
  return replies[outcome];
}
