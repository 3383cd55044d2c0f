import type { Actor } from "./audit.ts";
import type { Card } from "./cards/card.ts";
import type { FileUse } from "./files/ports.ts";
import type { UserIdentifier } from "./identity.ts";
import type { KeyFacts } from "./keys/key.ts";
import type { Platform } from "./keys/platform.ts";
import type { Attempt, RetryPlan, Step } from "./kyc/attempt.ts";
import type { KycHistoryEntry } from "./kyc/lookup.ts";
import type { KycRecord, KycState, KycVerdict, ManualDecision } from "./kyc/record.ts";
import type { Resubmission, ResubmissionDecision } from "./kyc/resubmission.ts";
import type { KycSubmission } from "./kyc/submission.ts";
import type { PageSlice } from "./pagination.ts";
import type { Scope } from "./scopes.ts";
import type { NewNames, UserName } from "./users/orders.ts";
import type { UserFacts } from "./users/user.ts";

/** The external card provider, as the domain needs it. */
export interface CardProvider {
  /**
   * One page of a user's cards, newest first, then by cardId (gap G7). A user whom the provider does not
   * know has none (gap G18).
   * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE or PROVIDER_ANSWER_INVALID (gap G3).
   */
  listCards(request: CardListRequest, signal?: AbortSignal): Promise<PageSlice<Card>>;
  /** Sends a submission under its reference; the same reference is executed once. Never throws. */
  submitKyc(order: ProviderKycRequest): Promise<KycAnswer>;
  /** Asks what became of a reference. Never throws. */
  findKyc(
    order: Pick<ProviderKycRequest, "reference" | "userReference">,
  ): Promise<KycAnswer | { outcome: "not-found" }>;
}

export interface CardListRequest {
  /** The user's externalUserId. */
  userReference: string;
  /** A raw status to filter by. */
  status?: string | undefined;
  page: number;
  pageSize: number;
}

export interface ProviderKycRequest {
  /** The kycRecordId: the provider's idempotency reference (gap G12). */
  reference: string;
  /** The externalUserId (gap G11). */
  userReference: string;
  /** The submission without the platform's own memberId (interface, section 4.2, rule 4). */
  applicant: Omit<KycSubmission, "memberId">;
}

/**
 * - `yes`, `refused`: the provider spoke about this submission.
 * - `unsent`: provably nothing arrived there.
 * - `unknown`: everything else; the submission may or may not have happened.
 */
export type KycAnswer =
  | KycVerdict
  | { outcome: "unsent"; reason: string }
  | { outcome: "unknown"; reason: string; retryAfterSeconds?: number };

/** One user, as one platform knows it. */
export interface User {
  /** Minted at the first submission, sent to the provider as its reference (gap G11). */
  externalUserId: string;
}

export interface Users {
  /** The platform's user by either name (gap G17); null when there is none (gap G18). */
  find(platformId: string, identifier: UserIdentifier): Promise<User | null>;
}

/** What people and internal apps do with a platform's users. What they are shown holds no personal data. */
export interface UserAdmin {
  /** Null where the platform has no such user; an erased one is found by our own id alone. */
  show(platformId: string, name: UserName): Promise<UserFacts | null>;
  /**
   * Gives a user another e-mail, another member id, or both; records stay as they were submitted. Null where
   * the platform has no such user, or erased it.
   * @throws Failure USER_IDENTITY_CONFLICT where another user has one of them (gap G17).
   */
  relink(platformId: string, externalUserId: string, names: NewNames): Promise<UserFacts | null>;
}

/** What a claim is given: ids minted before anything is written, and the policy that decides (gap G16). */
export interface ClaimRequest {
  submission: KycSubmission;
  /** Where it names files of ours. */
  files: readonly FileUse[];
  /** Who submits: the claim writes the audit's entry. */
  by: Actor;
  /** LeaseResult when the user is new. */
  externalUserId: string;
  /** LeaseResult when a new record is made. */
  kycRecordId: string;
  decide(latest: KycRecord, submission: Resubmission): ResubmissionDecision;
  /** The caller's Idempotency-Key, which is its platform's and its operation's own (gap G20). */
  idempotency?: { operation: string; key: string } | undefined;
}

/** `new`: this caller owns attempt 1 of the record. `replay`: the record was there already. */
export type Claim = { record: KycRecord } & ({ kind: "new"; attempt: Attempt } | { kind: "replay" });

/** What an attempt is known by. */
export type AttemptId = Pick<KycRecord, "kycRecordId" | "attempt">;

/** What storing a verdict came to. */
export interface RecordChange {
  /** The record as it was just before. */
  before: KycRecord;
  /** The record as it is now; the same state when the verdict changed nothing or the attempt was too late. */
  record: KycRecord;
}

/** A record that is due, by ids alone: it is opened as its platform. */
export interface DueAttempt extends AttemptId {
  platformId: string;
}

/** How many records wait, by what they wait for. */
export interface RecordCount {
  settlement: KycRecord["settlement"];
  /** Held for people. */
  held: boolean;
  count: number;
  /** The age of the oldest, in seconds. */
  oldestSeconds: number;
}

export interface KycRecords {
  /**
   * In one transaction: finds or makes the user, decides against its latest record, and writes the new
   * record with its request, its first history row and the audit's entry. Callers of one user wait for each
   * other. A replay is noted too.
   * @throws Failure USER_IDENTITY_CONFLICT (gap G17), KYC_ALREADY_SUBMITTED (gap G16),
   *   IDEMPOTENCY_KEY_REUSED (gap G20), USER_ERASURE_PENDING (gap G26), INVALID_INPUT where a file is not the
   *   user's to use.
   */
  claim(platformId: string, request: ClaimRequest): Promise<Claim>;
  /**
   * In one transaction: applies what an attempt learned, where that attempt still owns the record, adds the
   * history row of a change, and plans when to ask again, while the provider has not decided. `known` is the record
   * as that attempt has it.
   */
  storeVerdict(platformId: string, known: KycRecord, verdict: KycVerdict): Promise<RecordChange>;
  /**
   * Plans the next attempt, where this one still owns the record. One that stays unsettled for too long is
   * held for people instead: kept, counted, and never tried again by itself.
   */
  reschedule(platformId: string, attempt: AttemptId, plan: RetryPlan): Promise<void>;
  /**
   * Takes up to `limit` due records, unsettled ones first, each with a new attempt and a lease by the
   * database's clock. No two callers get the same one.
   */
  leaseDue(limit: number): Promise<DueAttempt[]>;
  /**
   * Applies what the provider told by itself of one of its references, whoever owns the record's attempt, and
   * adds the history row of a change. Null where no record has this reference and this user.
   */
  recordProviderUpdate(
    reported: Pick<ProviderKycRequest, "reference" | "userReference">,
    verdict: KycVerdict,
  ): Promise<RecordChange | null>;
  /** Counts the records of all platforms that are due some time, or held. */
  countWaiting(): Promise<RecordCount[]>;
  /** Forgets idempotency keys older than so many days, 30 at the least. */
  forgetKeys(days: number): Promise<void>;
  /** The latest record of a platform's user; null where the user or the record is missing. */
  latest(platformId: string, identifier: UserIdentifier): Promise<KycRecord | null>;
  /** A record with its history, oldest first; null where the platform has none of this id. */
  history(
    platformId: string,
    kycRecordId: string,
  ): Promise<{ record: KycRecord; history: KycHistoryEntry[] } | null>;
  /**
   * What an attempt works with; null where it no longer owns its record. One of an erased user asks.
   * @throws Failure SERVICE_UNAVAILABLE where the submission cannot be unsealed; the record stays due.
   */
  loadAttempt(platformId: string, attempt: AttemptId): Promise<Attempt | null>;
}

/** Where the settling of a record stands. Moments are those of the database's clock. */
export interface KycJob extends AttemptId {
  platformId: string;
  settlement: KycRecord["settlement"];
  /** How the next attempt begins, and how often in a row the provider did not know the reference. */
  step: Step;
  notFound: number;
  createdAt: Date;
  /** When a worker looks at it next; null when none will. */
  dueAt: Date | null;
  /** Until when the latest attempt is alone with it; null once that has ended. */
  leaseUntil: Date | null;
  /** Since when it is held for people; null while it is not. */
  heldAt: Date | null;
  /** When all of this was read. */
  readAt: Date;
}

export interface WaitingFilter {
  /** Leaves out what is neither held nor unsettled for longer than so many seconds. */
  stuckSeconds?: number | undefined;
  platformId?: string | undefined;
  /** 1 to 1000. */
  limit: number;
}

/** All that a person may see of a record: never what was submitted. */
export interface KycFile {
  record: KycRecord;
  job: KycJob;
  /** Oldest first. */
  history: (KycHistoryEntry & Pick<KycState, "settlement">)[];
}

/**
 * `busy`: another attempt owns the record, until its lease ends, or, where that is null, has ended since the
 * one that was named, or has settled it.
 */
export type LeaseResult = ({ kind: "leased" } & DueAttempt) | { kind: "busy"; until: Date | null };

/** What people do with KYC records by hand, whatever platform they are of. A record is named by its id alone. */
export interface KycAdmin {
  /** The records that are due some time or held: held ones first, then unsettled ones, each oldest first. */
  list(filter: WaitingFilter): Promise<KycJob[]>;
  /** Null where there is no such record. */
  show(kycRecordId: string): Promise<KycFile | null>;
  /**
   * Takes one record, due or not, with a new attempt and a lease, where no attempt owns it. A held one stays
   * held, so that nothing is lost when the person's process dies; any other becomes due when the lease ends.
   * An attempt that sends takes unsettled records only, and none that was attempted since the attempt `after`.
   * Null where there is no such record.
   */
  take(
    kycRecordId: string,
    how: { step: "ask" } | { step: "send"; after: number },
  ): Promise<LeaseResult | null>;
  /**
   * In one transaction: settles an unsettled record by a person's word, with the history row. Any other
   * record is left as it is. Null where there is no such record.
   */
  settle(kycRecordId: string, word: ManualDecision): Promise<RecordChange | null>;
}

/** Erasing users: their personal data go, the ids and statuses of their records stay (gap G26). */
export interface Erasures {
  /** Asks for a user's erasure, once; false where the platform has no such user, or erased it. */
  request(platformId: string, externalUserId: string): Promise<boolean>;
  /** Asks for the erasure of up to `limit` users of whom nothing came for so many days; tells of how many. */
  requestExpired(days: number, limit: number): Promise<number>;
  /** Erases up to `limit` users whose erasure was asked for and who have no unsettled record; tells how many. */
  eraseDue(limit: number): Promise<number>;
}

export interface ApiKey {
  keyId: string;
  platformId: string;
  scopes: readonly Scope[];
}

export interface ApiKeys {
  /**
   * The live key with this SHA-256 hash; null when unknown, expired or revoked. Notes when the key was last
   * used, once a minute at most.
   */
  find(hash: Buffer): Promise<ApiKey | null>;
}

/** A key that is to be stored: of the key itself no more than its hash. */
export interface NewKey extends Pick<KeyFacts, "keyId" | "name" | "prefix" | "expiresAt"> {
  scopes: readonly Scope[];
  /** SHA-256 of the whole key. */
  hash: Buffer;
}

/** What people and internal apps do with API keys. A key is named by its id alone, and its hash is never read. */
export interface KeyAdmin {
  /** By platform and name, the newest first. The limit is 1 to 1000. */
  list(filter: { platformId?: string | undefined; limit: number }): Promise<KeyFacts[]>;
  show(keyId: string): Promise<KeyFacts | null>;
  /** @throws Failure PLATFORM_NOT_FOUND, KEY_CONFLICT where a live key of the platform has this name. */
  create(platformId: string, key: NewKey): Promise<KeyFacts>;
  /**
   * In one transaction: makes the successor, and has the key expire after the overlap at the latest.
   * @throws Failure KEY_NOT_FOUND, KEY_CONFLICT unless the key is the only live one of its name.
   */
  rotate(
    keyId: string,
    successor: NewKey,
    overlapHours: number,
  ): Promise<{ successor: KeyFacts; predecessor: KeyFacts }>;
  /** From the next look-up on the key is not found, in any process; once revoked it stays so. Null for no key. */
  revoke(keyId: string): Promise<KeyFacts | null>;
}

/** The platforms themselves; that of the internal apps is not among them. */
export interface Platforms {
  exists(platformId: string): Promise<boolean>;
  /** Oldest first. The limit is 1 to 1000. */
  list(limit: number): Promise<Platform[]>;
  create(given: Pick<Platform, "platformId" | "name">): Promise<Platform>;
  /** Null where there is none. */
  rename(given: Pick<Platform, "platformId" | "name">): Promise<Platform | null>;
}

/** Things that happen and that someone wants to count. */
export interface Observer {
  observe(what: Observation, labels?: Labels): void;
}

/** Words and ids of ours that say more of an observation; never what a caller or the provider has sent. */
export type Labels = Readonly<
  Partial<
    Record<
      "operation" | "outcome" | "step" | "reason" | "field" | "platformId" | "kycRecordId" | "seal" | "hash",
      string
    >
  >
>;

export type Observation =
  | "operation_call"
  | "audit_sealed"
  | "audit_not_sealed"
  | "kyc_attempt"
  | "provider_card_field_malformed"
  | "provider_sub_status_unmapped"
  | "provider_foreign_answer"
  | "provider_answer_unreadable"
  | "kyc_outcome_unknown"
  | "kyc_final_reversed"
  | "kyc_not_stored"
  | "kyc_not_opened"
  | "user_erased"
  | "worker_without_database";
