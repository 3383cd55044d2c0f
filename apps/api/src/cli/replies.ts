import { isReversal, type RecordAttempt, type RecordDetails, type ShownReply } from "@cardbridge/domain";
import type { Report } from "./details.ts";
import { formatValue } from "./output.ts";

/** Reports the provider's reply to an operator's attempt to query or to send again, and the change. */
export function reportAttempt({ before, after, asked, sent }: RecordAttempt, sends = false): Report {
  const again =
    asked.outcome === "not-found"
      ? " yet: one more such reply is required. Run the command again in a minute"
      : "";
  const second = sent ? `It was sent again. ${describeReply(sent)}` : sends && `Nothing was sent${again}.`;
  const replies = [describeReply(asked), second].filter(Boolean).join(" ");
  if (!after)
    return { text: "", problem: `${replies} The reply could not be stored: run the command again.` };
  const { outcome } = sent ?? asked;
  if (outcome === "unknown" || outcome === "unsent")
    return { text: "", problem: `${replies} The record is ${stateOf(after)}.` };
  const lines = [replies, changeOf(before, after)];
  if (isReversal(before, after))
    lines.push("A final status was replaced by another final status: investigate.");
  return { text: lines.join("\n") };
}

/** The state before and after, on one line. */
export function changeOf(before: RecordDetails, after: RecordDetails): string {
  const [from, to] = [stateOf(before), stateOf(after)];
  return `${after.kycRecordId}: ${from === to ? `still ${to}` : `${from} -> ${to}`}`;
}

/** The unified status, the provider's raw status if it differs, and whether the record needs attention. */
export function stateOf({ resolution, status, subStatus, needsAttentionSince }: RecordDetails): string {
  const isSame = status !== null && status === subStatus?.toUpperCase();
  const answered = isSame ? status : `${status ?? "no status"} (${subStatus})`;
  return `${resolution === "answered" ? answered : resolution}${needsAttentionSince ? ", needs attention" : ""}`;
}

/** The provider's reply as a sentence. */
function describeReply(reply: ShownReply): string {
  if (reply.outcome === "not-found") return "The provider does not know it.";
  if (reply.outcome === "unsent" || reply.outcome === "unknown") {
    const effect =
      reply.outcome === "unsent"
        ? "Nothing reached the provider"
        : "The provider returned no usable response";
    // The log and the metrics name the reason by its code.
    return `${effect}: ${reply.words} (${reply.reason}).`;
  }
  const reasons = formatValue(reply.explanation);
  const because = reasons === "" ? "" : ` (${reasons})`;
  if (reply.outcome === "refused") return `The provider refused it${because}.`;
  const account = reply.cardAccountId ? `, with the card account ${reply.cardAccountId}` : "";
  return `The provider has it: ${reply.subStatus}${because}${account}.`;
}
