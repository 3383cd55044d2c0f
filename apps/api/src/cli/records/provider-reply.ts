import type { ShownReply } from "@cardbridge/domain";
import { formatReasons } from "./format.ts";

const reasons: Readonly<Record<string, string>> = {
  "connection-refused": "nothing listens at its address",
  "dns-failed": "its host is not known",
  "connect-timeout": "it cannot be reached",
  deadline: "it did not answer in time",
  foreign: "it answered about another submission",
  "status-401": "it does not accept our signature",
  "status-429": "it receives too many calls at present",
};

/** The provider's reply as a sentence. */
export function describeReply(reply: ShownReply): string {
  switch (reply.outcome) {
    case "answered": {
      const account = reply.cardAccountId ? `, with the card account ${reply.cardAccountId}` : "";
      return `The provider has it: ${reply.subStatus}${because(reply)}${account}.`;
    }
    case "refused":
      return `The provider refused it${because(reply)}.`;
    case "not-found":
      return "The provider does not know it.";
    case "unsent":
      return `Nothing reached the provider: ${describeReason(reply.reason)}.`;
    case "unknown":
      return `The provider gave no usable answer: ${describeReason(reply.reason)}.`;
  }
}

function because({ explanation }: Extract<ShownReply, { outcome: "answered" | "refused" }>): string {
  const reasons = formatReasons(explanation);
  return reasons === null ? "" : ` (${reasons})`;
}

/** The reason's name as the log and the metrics have it, with a description where there is one. */
function describeReason(reason: string): string {
  const description = reasons[reason];
  return description ? `${description} (${reason})` : reason;
}
