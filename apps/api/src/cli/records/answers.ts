import type { ByHand } from "../../operations/by-hand.ts";

const reasons: Readonly<Record<string, string>> = {
  "connection-refused": "nothing listens at its address",
  "dns-failed": "its host is not known",
  "connect-timeout": "it cannot be reached",
  deadline: "its time was up",
  foreign: "it spoke of another submission",
  "status-401": "it does not accept our signature",
  "status-429": "it has too many calls at present",
};

/** What the provider said, as a sentence. */
export function sentenceOf(answer: ByHand["asked"]): string {
  switch (answer.outcome) {
    case "answered": {
      const account = answer.cardAccountId ? `, with the card account ${answer.cardAccountId}` : "";
      return `The provider has it: ${answer.subStatus}${account}.`;
    }
    case "refused":
      return "The provider refused it.";
    case "not-found":
      return "The provider does not know it.";
    case "unsent":
      return `Nothing reached the provider: ${why(answer.reason)}.`;
    case "unknown":
      return `The provider gave no usable answer: ${why(answer.reason)}.`;
  }
}

/** In words where there are any, and always as the log and the metrics call it. */
function why(reason: string): string {
  const words = reasons[reason];
  return words ? `${words} (${reason})` : reason;
}
