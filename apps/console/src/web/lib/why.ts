import { shared } from "./words.ts";

const words = {
  status: {
    waiting: "In progress",
    review: "In review",
    incomplete: "Incomplete",
    rejected: "Rejected",
    refused: "Refused",
    unknown: "Unknown status",
  },
  why: {
    first: "waits for its first attempt",
    review: "in review at the provider",
    incomplete: "not complete at the provider",
    requested: (documents: string) => `the provider asks for: ${documents}`,
    approved: "approved",
    approvedWith: { expiring: "approved, document expires soon", expired: "approved, document has expired" },
    rejected: "rejected, without a reason",
    refusedBare: "refused, without a reason",
    unmapped: (raw: string) => `provider says “${raw}”`,
  },
} as const;

/** The state of a record as a word, a shape and a meaning. */
export type Meaning = "good" | "waiting" | "attention" | "bad" | "plain";

/** What the state of a record follows from. */
export interface Reviewed {
  resolution: "unresolved" | "answered" | "refused";
  status: string | null;
  needsAttentionSince: string | null;
}

/** The state of a record in a word. What needs attention comes before everything else. */
export function stateOf({ resolution, status, needsAttentionSince }: Reviewed): {
  word: string;
  meaning: Meaning;
} {
  if (needsAttentionSince !== null) return { word: shared.status.attention, meaning: "attention" };
  if (resolution === "refused") return { word: words.status.refused, meaning: "bad" };
  if (resolution === "unresolved") return { word: words.status.waiting, meaning: "waiting" };
  if (status === "APPROVED") return { word: shared.status.approved, meaning: "good" };
  if (status === "REJECTED") return { word: words.status.rejected, meaning: "bad" };
  if (status === "PENDING_APPROVAL") return { word: words.status.review, meaning: "waiting" };
  if (status === "PENDING") return { word: words.status.incomplete, meaning: "waiting" };
  return { word: words.status.unknown, meaning: "attention" };
}

const expiryMeanings: Record<string, Meaning> = {
  valid: "good",
  permanent: "good",
  expiring: "attention",
  expired: "bad",
};

/** The state of an approval's document as a word and a meaning. */
export const expiryOf = (documentExpiry: string): { word: string; meaning: Meaning } => ({
  word: (shared.record.expiry as Record<string, string>)[documentExpiry] ?? documentExpiry,
  meaning: expiryMeanings[documentExpiry] ?? "plain",
});

interface Row extends Reviewed {
  subStatus: string | null;
  documentExpiry: string | null;
  reasons: readonly string[];
  requested: readonly string[];
  lastAttempt: { words: string; count: number } | null;
}

/** Why a record is where it is, in a few words for a row. */
export function whyOf(row: Row): string {
  const { resolution, status, subStatus, documentExpiry, reasons, requested, lastAttempt } = row;
  if (resolution === "unresolved") {
    if (lastAttempt === null) return words.why.first;
    const { words: text, count } = lastAttempt;
    return count > 1 ? `${text} ${shared.units.times(count)}` : text;
  }
  if (resolution === "refused" || status === "REJECTED") {
    const [first, ...others] = reasons.map(reasonWords);
    if (!first) return resolution === "refused" ? words.why.refusedBare : words.why.rejected;
    return others.length > 0 ? `${first} +${others.length}` : first;
  }
  if (status === "APPROVED")
    return (words.why.approvedWith as Record<string, string>)[documentExpiry ?? ""] ?? words.why.approved;
  if (requested.length > 0) return words.why.requested(requested.map(shared.record.document).join(", "));
  if (status === "PENDING_APPROVAL") return words.why.review;
  if (status === "PENDING") return words.why.incomplete;
  return words.why.unmapped(subStatus ?? shared.none);
}

/** A reason of a refusal or a rejection in words; a code that is not known yet as it is. */
export function reasonWords(code: string): string {
  return (shared.reasons as Record<string, string>)[code] ?? code;
}
