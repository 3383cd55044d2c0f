import type { Erasures, Files, KycRecords, Observer } from "@cardbridge/domain";

/** How long an idempotency key is kept: 30 days are promised (gap G20). */
const idempotencyKeyDays = 35;
/** What one pass takes on at the most, so that no pass is long: so many users may expire in an hour. */
const mostExpired = 5_000;
/** And so many are erased in a minute. */
const mostErased = 100;
const mostSwept = 100;

/** Forgets what is kept for a while only; erasing users who expired is the other pass's work. */
export async function forgetOld(
  kycRecords: Pick<KycRecords, "forgetKeys">,
  erasures: Pick<Erasures, "requestExpired">,
  retentionDays: number | undefined,
): Promise<"done"> {
  await nextTime(() => kycRecords.forgetKeys(idempotencyKeyDays));
  if (retentionDays !== undefined) await nextTime(() => erasures.requestExpired(retentionDays, mostExpired));
  return "done";
}

/** Erases users whose erasure was asked for, and counts them. */
export async function eraseUsers(erasures: Pick<Erasures, "eraseDue">, observer: Observer): Promise<"done"> {
  const erased = (await nextTime(() => erasures.eraseDue(mostErased))) ?? 0;
  for (let times = 0; times < erased; times += 1) observer.observe("user_erased");
  return "done";
}

/** Destroys files that are over. */
export async function sweepFiles(files: Pick<Files, "sweep">): Promise<"more" | "done"> {
  const swept = await nextTime(() => files.sweep(mostSwept));
  return swept === mostSwept ? "more" : "done";
}

/** The next pass is soon enough when the database is away; whoever settles says that it is. */
async function nextTime<T>(run: () => Promise<T>): Promise<T | undefined> {
  return run().catch(() => undefined);
}
