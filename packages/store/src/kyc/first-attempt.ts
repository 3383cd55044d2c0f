import type { Attempt, CreateResult, KycRecord, KycSubmission, RecordRequest } from "@cardbridge/domain";

/** The first attempt of a submission: it sends the submission. */
export function firstAttempt(record: KycRecord, submission: KycSubmission): Attempt {
  return { record, submission, step: "send", notFound: 0 };
}

/** The result of a new record: the caller sends it, or a worker does (`unsent`). */
export function creationResult(record: KycRecord, { submission, maxUnsent }: RecordRequest): CreateResult {
  if (maxUnsent !== undefined) return { kind: "unsent", record };
  return { kind: "new", record, attempt: firstAttempt(record, submission) };
}
