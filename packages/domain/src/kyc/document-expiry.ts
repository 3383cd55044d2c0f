import type { KycSubmission } from "./submission.ts";

/** The states of the identity document of an approved record (gap G44). */
export const documentExpiries = ["valid", "expiring", "expired", "permanent", "unknown"] as const;
export type DocumentExpiry = (typeof documentExpiries)[number];

/** The stored states. A record without one has a document whose date nobody can read. */
export const knownExpiries = ["valid", "expiring", "expired", "permanent"] as const;

/** The state of a document, and when a worker looks at its date again. */
export interface ExpiryCheck {
  /** Null if the submission has no date. */
  documentExpiry: (typeof knownExpiries)[number] | null;
  /** Null if the state never changes again. */
  checkAt: Date | null;
}

/** The check of a record whose date no worker has looked at. */
export const neverChecked = new Date(0);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A calendar date ends last in the time zone UTC-12, at 12:00 UTC of the next day. */
const lastEndMs = 36 * hourMs;

/**
 * The state of a document at a time. It is expired after its date has ended in every time zone, and expiring from
 * `noticeDays` before that. The next look is coarse, because it is stored in plain text: the first day of the month in
 * which the state changes, then noon UTC of each day of that month.
 */
export function checkExpiry(
  {
    documentExpiryDate,
    documentPermanentlyValid,
  }: Pick<KycSubmission, "documentExpiryDate" | "documentPermanentlyValid">,
  now: Date,
  noticeDays: number,
): ExpiryCheck {
  if (documentPermanentlyValid) return { documentExpiry: "permanent", checkAt: null };
  if (documentExpiryDate === undefined) return { documentExpiry: null, checkAt: null };
  const expiresAt = Date.parse(documentExpiryDate) + lastEndMs;
  const expiringAt = expiresAt - noticeDays * dayMs;
  const time = now.getTime();
  if (time >= expiresAt) return { documentExpiry: "expired", checkAt: null };
  if (time >= expiringAt) return { documentExpiry: "expiring", checkAt: lookAt(expiresAt, time) };
  return { documentExpiry: "valid", checkAt: lookAt(expiringAt, time) };
}

/** The check of a new record. A worker looks at once at a document that expires, because its event follows the approval. */
export function firstCheck(...check: Parameters<typeof checkExpiry>): ExpiryCheck {
  const { documentExpiry, checkAt } = checkExpiry(...check);
  const isDue = documentExpiry === "expiring" || documentExpiry === "expired";
  return { documentExpiry, checkAt: isDue ? neverChecked : checkAt };
}

function lookAt(changeAt: number, now: number): Date {
  const change = new Date(changeAt);
  const month = Date.UTC(change.getUTCFullYear(), change.getUTCMonth());
  if (month > now) return new Date(month);
  const noon = Math.floor(now / dayMs) * dayMs + 12 * hourMs;
  return new Date(noon > now ? noon : noon + dayMs);
}

/** Whether another verification may renew the approval of this document. */
export function isRenewable(documentExpiry: DocumentExpiry | null): boolean {
  return documentExpiry === "expiring" || documentExpiry === "expired";
}
