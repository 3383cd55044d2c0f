import { number } from "../lib/numbers.ts";

/** A count that may have stopped at a limit. */
interface Counted {
  count: number;
  more: boolean;
}
const countOf = ({ count, more }: Counted): string => `${number(count)}${more ? "+" : ""}`;
const inBrackets = (counted: Counted | undefined) => (counted ? ` (${countOf(counted)})` : "");

export const words = {
  tabs: { attention: "Needs attention", open: "Open", requested: "Asked for a document", all: "All" },
  tabsLabel: "Which records",
  status: "Status",
  document: "Document",
  documentOf: {
    expiring: (counted?: Counted) => `expires soon${inBrackets(counted)}`,
    expired: (counted?: Counted) => `expired${inBrackets(counted)}`,
  },
  reason: "Reason",
  within: "Created",
  assignee: "Assigned",
  order: "Order",
  anyone: "anyone",
  assigneeOf: { me: "me", none: "nobody" },
  oldest: "oldest first",
  orderOf: { newest: "newest first" },
  statusOf: {
    unresolved: "no answer yet",
    refused: "refused",
    PENDING: "incomplete",
    PENDING_APPROVAL: "in review",
    APPROVED: "approved",
    REJECTED: "rejected",
  },
  clear: "Clear the filters",
  columns: { record: "Record", why: "Why", platform: "Platform", age: "Age", assignee: "Assigned to" },
  list: "Records",
  end: (n: number) => (n === 1 ? "1 record. That is all." : `${n} records. That is all.`),
  narrow: "The search stopped after 50,000 rows. Narrow the filters, or continue.",
  keys: [
    ["j k", "move"],
    ["Enter", "open"],
    ["a", "assign to me"],
    ["r", "refresh"],
    ["?", "all keys"],
  ],
  empty: {
    attention: "Nothing needs attention",
    attentionText:
      "Records come here when workers stop trying, or when the provider takes too long to answer.",
    attentionLink: "Look at the open records",
    filtered: "No record matches these filters",
    filteredText: "Widen a filter, or clear all of them.",
    requested: "No document is missing",
    requestedText:
      "Records come here while the provider waits for a document that the platform has not sent.",
    all: "No records yet",
    allText: "A record appears as soon as a platform submits a verification.",
  },
} as const;
