import type { Attempt, KycRecord, KycSubmission } from "@cardbridge/domain";

/** The attempt that a claim begins: it sends the submission. */
export function firstAttempt(record: KycRecord, submission: KycSubmission): Attempt {
  return { record, submission, step: "send", notFound: 0 };
}
