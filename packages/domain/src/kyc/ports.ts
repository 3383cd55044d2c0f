import type { AuditOrigin } from "../audit/entry.ts";
import type { FileUse } from "../files/ports.ts";
import type { UserIdentifier } from "../identity/identifier.ts";
import type { Attempt, AttemptReport, RetryPlan } from "./attempt.ts";
import type { ExpiryCheck } from "./document-expiry.ts";
import type { KycChange } from "./lookup.ts";
import type { KycReference } from "./provider-reply.ts";
import type { RecordReading, UserReading } from "./reading.ts";
import type { KycRecord } from "./record.ts";
import type { Resubmission, ResubmissionDecision } from "./resubmission.ts";
import type { StepResult } from "./steps.ts";
import type { KycSubmission } from "./submission.ts";
import type { KycVerdict, OrderedVerdict } from "./verdict.ts";

/** The input of a submission, with the ids for new rows and the resubmission policy. */
export interface RecordRequest {
  submission: KycSubmission;
  /** The uploaded files that the submission uses. */
  files: readonly FileUse[];
  /** The caller, for the audit entry that the submission writes. */
  by: AuditOrigin;
  /** The id for a new user. */
  externalUserId: string;
  /** The id for a new record. */
  kycRecordId: string;
  decide(submission: Resubmission): ResubmissionDecision;
  /** Whether the provider can renew an approval. */
  renews: boolean;
  /** The state of the document's date. */
  expiry: ExpiryCheck;
  /** The caller's Idempotency-Key, scoped to the platform and the operation. */
  idempotencyKey?: string | undefined;
  /**
   * Set if the caller cannot send the submission now. A new record is then due at once, and no attempt owns it. The
   * record is not stored if the platform already has this number of unsent records.
   */
  maxUnsent?: number | undefined;
}

/**
 * `new`: the caller owns attempt 1 of a new record. `unsent`: a worker sends the new record. `replay`: the record
 * already exists.
 */
export type CreateResult = { record: KycRecord } & (
  | { kind: "new"; attempt: Attempt }
  | { kind: "unsent" }
  | { kind: "replay" }
);

/** The result that `createOrReplay` would return. */
export type CreatePreview = { kind: "new" } | { kind: "replay"; record: KycRecord };

/** Identifies one attempt. */
export type AttemptId = Pick<KycRecord, "kycRecordId" | "attempt">;

/** The ids of a leased attempt. `loadAttempt` loads the attempt within its platform. */
export interface DueAttempt extends AttemptId {
  platformId: string;
}

/** A record before and after a verdict or a decision. */
export interface RecordChange {
  before: KycRecord;
  /** The record afterwards; the same state if nothing changed or the attempt no longer owned the record. */
  record: KycRecord;
  /** Whether the change approved a user without an e-mail. */
  approvedWithoutEmail?: boolean;
}

/** The number of waiting records by state. */
export interface RecordCount {
  resolution: KycRecord["resolution"];
  /** Whether an operator has to act. Workers no longer attempt such records. */
  needsAttention: boolean;
  count: number;
  /** The age of the oldest record, in seconds. */
  oldestSeconds: number;
}

export interface KycRecords {
  /**
   * Creates a record or replays an existing one. One transaction finds or creates the user by memberId, decides
   * (`decideSubmission`), reassigns the e-mail, and writes the record with its request, first history row and audit
   * entries. Submissions for one user are serialized. Replays, and users who lose their e-mail, are also audited.
   * @throws Failure USER_IDENTITY_CONFLICT, KYC_ALREADY_SUBMITTED, IDEMPOTENCY_KEY_REUSED, USER_ERASURE_PENDING,
   *   INVALID_INPUT if the user may not use a file.
   */
  createOrReplay(platformId: string, request: RecordRequest): Promise<CreateResult>;
  /**
   * Returns or throws the result that `createOrReplay` would have now. Writes, locks and audits nothing. Does
   * not use the ids for new rows.
   * @throws Failure as `createOrReplay` does.
   */
  preview(platformId: string, request: RecordRequest): Promise<CreatePreview>;
  /**
   * In one transaction: applies the verdict of an attempt that still owns the record, adds a history row for a change,
   * and schedules the next attempt if the status is not final. `known` is the record that the attempt loaded; `report`
   * is stored if the attempt still owns the record.
   */
  storeVerdict(
    platformId: string,
    known: KycRecord,
    verdict: KycVerdict,
    report?: AttemptReport,
  ): Promise<RecordChange>;
  /**
   * Schedules the next attempt if this attempt still owns the record. A record that stays unresolved for too long, or
   * whose plan says so, needs attention: workers no longer attempt it. A record that was answered meanwhile is asked
   * about, whatever the plan says. In the same transaction, stores `report`; a process that stops in the middle of an
   * attempt has none.
   */
  reschedule(platformId: string, attempt: AttemptId, plan: RetryPlan, report?: AttemptReport): Promise<void>;
  /**
   * Leases up to `limit` due records by the database's clock, unresolved ones first. Each lease is a new attempt. A
   * record has one lease at a time.
   */
  leaseDue(limit: number): Promise<DueAttempt[]>;
  /**
   * Applies a verdict from a provider event, regardless of the current lease, and adds a history row for a change.
   * Null if no record has this reference and this user.
   */
  recordProviderUpdate(reference: KycReference, verdict: OrderedVerdict): Promise<RecordChange | null>;
  /**
   * The stored result of a step, for the attempt that owns the record (`ProviderSteps.done`).
   * @throws AttemptSuperseded, Failure SERVICE_UNAVAILABLE.
   */
  findStep(platformId: string, attempt: AttemptId, name: string): Promise<StepResult | undefined>;
  /**
   * Stores the result of a step, for the attempt that owns the record (`ProviderSteps.keep`).
   * @throws AttemptSuperseded, Failure SERVICE_UNAVAILABLE.
   */
  keepStep(platformId: string, attempt: AttemptId, name: string, result: StepResult): Promise<void>;
  /** Counts the waiting records of all platforms. */
  countWaiting(): Promise<RecordCount[]>;
  /** Deletes up to `limit` idempotency keys that are older than `days`, which is at least 30. Returns their number. */
  pruneKeys(days: number, limit: number): Promise<number>;
  /** The user's current record (`UserReading`); null if the user or the record does not exist. */
  current(platformId: string, identifier: UserIdentifier): Promise<UserReading | null>;
  /**
   * A record with its user's memberId, null after an erasure, and its history, oldest first; null if the platform has
   * no such record.
   * @throws Failure SERVICE_UNAVAILABLE if the memberId cannot be decrypted.
   */
  history(
    platformId: string,
    kycRecordId: string,
  ): Promise<{ record: RecordReading; memberId: string | null; history: KycChange[] } | null>;
  /**
   * Loads an attempt and its submission; null if it no longer owns the record. Attempts for erased users only
   * query the provider.
   * @throws Failure SERVICE_UNAVAILABLE if the submission cannot be decrypted; the record stays due.
   */
  loadAttempt(platformId: string, attempt: AttemptId): Promise<Attempt | null>;
}
