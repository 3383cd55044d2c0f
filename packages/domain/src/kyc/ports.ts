import type { AuditOrigin } from "../audit/entry.ts";
import type { FileUse } from "../files/ports.ts";
import type { UserIdentifier } from "../identity/identifier.ts";
import type { Attempt, RetryPlan } from "./attempt.ts";
import type { KycHistoryEntry } from "./lookup.ts";
import type { KycReference } from "./provider-reply.ts";
import type { KycRecord } from "./record.ts";
import type { Resubmission, ResubmissionDecision } from "./resubmission.ts";
import type { KycSubmission } from "./submission.ts";
import type { KycVerdict } from "./verdict.ts";

/** The input of a claim: ids minted before anything is written, and the policy that decides (gap G16). */
export interface ClaimRequest {
  submission: KycSubmission;
  /** Where the submission names uploaded files. */
  files: readonly FileUse[];
  /** Who submits: the claim writes the audit's entry. */
  by: AuditOrigin;
  /** Used when the user is new. */
  externalUserId: string;
  /** Used when a new record is made. */
  kycRecordId: string;
  decide(latest: KycRecord, submission: Resubmission): ResubmissionDecision;
  /** The caller's Idempotency-Key, of its platform and of the operation alone (gap G20). */
  idempotencyKey?: string | undefined;
}

/** `new`: this caller owns attempt 1 of the record. `replay`: the record existed already. */
export type Claim = { record: KycRecord } & ({ kind: "new"; attempt: Attempt } | { kind: "replay" });

/** Names one attempt. */
export type AttemptId = Pick<KycRecord, "kycRecordId" | "attempt">;

/** A leased attempt, by ids alone: it is loaded as its platform. */
export interface DueAttempt extends AttemptId {
  platformId: string;
}

/** The effect of a verdict. */
export interface RecordChange {
  /** The record as it was just before. */
  before: KycRecord;
  /** The record as it is now; the same state when the verdict changed nothing or the attempt was too late. */
  record: KycRecord;
}

/** How many records wait, by what they wait for. */
export interface RecordCount {
  settlement: KycRecord["settlement"];
  /** Held for an operator. */
  held: boolean;
  count: number;
  /** The age of the oldest, in seconds. */
  oldestSeconds: number;
}

export interface KycRecords {
  /**
   * In one transaction: finds or creates the user, decides against the latest record, and writes the new record
   * with its request, its first history row and the audit's entry. Callers of one user wait for each other. A
   * replay is audited too.
   * @throws Failure USER_IDENTITY_CONFLICT (gap G17), KYC_ALREADY_SUBMITTED (gap G16),
   *   IDEMPOTENCY_KEY_REUSED (gap G20), USER_ERASURE_PENDING (gap G26), INVALID_INPUT where the user may not use
   *   a file.
   */
  claim(platformId: string, request: ClaimRequest): Promise<Claim>;
  /**
   * In one transaction: applies the verdict of an attempt that still owns the record, adds the history row of a
   * change, and plans when to ask again while the provider has not decided. `known` is the record as that attempt
   * has it.
   */
  storeVerdict(platformId: string, known: KycRecord, verdict: KycVerdict): Promise<RecordChange>;
  /**
   * Plans the next attempt, where this one still owns the record. A record that stays unsettled for too long is
   * held for an operator: kept, counted, and never attempted again by a worker.
   */
  reschedule(platformId: string, attempt: AttemptId, plan: RetryPlan): Promise<void>;
  /**
   * Leases up to `limit` due records, unsettled ones first, each with a new attempt, by the database's clock. No
   * two callers lease the same one.
   */
  leaseDue(limit: number): Promise<DueAttempt[]>;
  /**
   * Applies what the provider reported by itself of one of its references, whoever owns the record's attempt, and
   * adds the history row of a change. Null where no record has this reference and this user.
   */
  recordProviderUpdate(reference: KycReference, verdict: KycVerdict): Promise<RecordChange | null>;
  /** Counts the due and held records of all platforms. */
  countWaiting(): Promise<RecordCount[]>;
  /** Deletes idempotency keys older than so many days, 30 at the least. */
  forgetKeys(days: number): Promise<void>;
  /** The latest record of a platform's user; null where the user or the record is missing. */
  latest(platformId: string, identifier: UserIdentifier): Promise<KycRecord | null>;
  /** A record with its history, oldest first; null where the platform has none of this id. */
  history(
    platformId: string,
    kycRecordId: string,
  ): Promise<{ record: KycRecord; history: KycHistoryEntry[] } | null>;
  /**
   * The attempt with what it works on; null where it no longer owns its record. The attempt of an erased user asks.
   * @throws Failure SERVICE_UNAVAILABLE where the submission cannot be decrypted; the record stays due.
   */
  loadAttempt(platformId: string, attempt: AttemptId): Promise<Attempt | null>;
}
