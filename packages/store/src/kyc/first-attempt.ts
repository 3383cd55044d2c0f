import type { Attempt, CreateResult, KycRecord, KycSubmission, RecordRequest } from "@cardbridge/domain";

/** The attempt that a submission begins: it sends the submission. */
export function firstAttempt(record: KycRecord, submission: KycSubmission): Attempt {
  return { record, submission, step: "send", notFound: 0 };
}

/** The submission of a new record: the caller's to send, or a worker's. */
export function creationResult(record: KycRecord, { submission, maxUnsent }: RecordRequest): CreateResult {
  if (maxUnsent !== undefined) return { kind: "unsent", record };
  return { kind: "new", record, attempt: firstAttempt(record, submission) };
}
