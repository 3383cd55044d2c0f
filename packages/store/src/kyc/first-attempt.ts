import type { Attempt, Claim, ClaimRequest, KycRecord, KycSubmission } from "@cardbridge/domain";

/** The attempt that a claim begins: it sends the submission. */
export function firstAttempt(record: KycRecord, submission: KycSubmission): Attempt {
  return { record, submission, step: "send", notFound: 0 };
}

/** The claim of a new record: the caller's to send, or a worker's. */
export function firstClaim(record: KycRecord, { submission, maxUnsent }: ClaimRequest): Claim {
  if (maxUnsent !== undefined) return { kind: "unsent", record };
  return { kind: "new", record, attempt: firstAttempt(record, submission) };
}
