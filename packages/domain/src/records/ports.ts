import type { AuditOrigin } from "../audit/entry.ts";
import type { ManualDecision } from "../kyc/manual-decision.ts";
import type { DueAttempt, RecordChange } from "../kyc/ports.ts";
import type { PersonPlatforms } from "../persons/person.ts";
import type { RecordAssignment } from "./assignment.ts";
import type { StoredAttempt } from "./attempt.ts";
import type { RecordChangePage } from "./changes.ts";
import type { RecordNote } from "./notes.ts";
import type { RecordDetails, RecordState, RecordSummary } from "./record.ts";
import type { RequeuedMany } from "./requeue-many.ts";
import type { RecordCounts, RecordSearchPage, RecordSearchQuery } from "./search.ts";
import type { RecordView } from "./view.ts";

export interface WaitingFilter {
  /** Includes only records that need attention: workers no longer attempt them, or they have been unresolved for more
   * than this number of seconds. */
  unresolvedSeconds?: number | undefined;
  platformId?: string | undefined;
  /** 1 to 1000. */
  limit: number;
}

/**
 * `busy`: another attempt owns the record until `until`. If `until` is null, another attempt ran in between or resolved
 * the record.
 */
export type LeaseResult = ({ kind: "leased" } & DueAttempt) | { kind: "busy"; until: Date | null };

/** How a manual attempt starts. A sending attempt names the attempt that it follows. */
export type ManualStep = { step: "ask" } | { step: "send"; after: number };

/** Administers KYC records of all platforms by their ids. */
export interface KycAdmin {
  /** Lists waiting records: those that need attention first, then unresolved ones, each oldest first. */
  list(filter: WaitingFilter): Promise<RecordSummary[]>;
  /** The platform of a record; null if the record does not exist. */
  platformOf(kycRecordId: string): Promise<string | null>;
  /** Null if the record does not exist. */
  show(kycRecordId: string): Promise<RecordDetails | null>;
  /** What changes while a record is open. Null if the record does not exist. */
  state(kycRecordId: string): Promise<RecordState | null>;
  /** The stored attempts, oldest first; null if the record does not exist. */
  attempts(kycRecordId: string): Promise<StoredAttempt[] | null>;
  /** Who opened a record today and yesterday, UTC: the newest 20 views, newest first. */
  views(platformId: string, kycRecordId: string): Promise<RecordView[]>;
  /**
   * In one transaction: makes a record that needs attention due now, so that workers attempt it again, and audits it.
   * `false` if it does not need attention; null if it does not exist.
   */
  requeue(kycRecordId: string, by: AuditOrigin): Promise<boolean | null>;
  /**
   * Counts the records of these platforms that need attention, and requeues up to `limit` of them, each with its audit
   * entry. `limit` 0 only counts.
   */
  requeueMany(
    platforms: PersonPlatforms,
    filter: RequeueFilter,
    limit: number,
    by: AuditOrigin,
  ): Promise<RequeuedMany>;
  /**
   * In one transaction: assigns a record or releases it, if its version is still this one, and audits it. `assigned` is
   * false if another assignment came first; the assignment is then the current one. Null if the record does not exist.
   */
  assign(
    kycRecordId: string,
    to: { assignee: string | null; version: number },
    by: AuditOrigin,
  ): Promise<{ assigned: boolean; assignment: RecordAssignment } | null>;
  /**
   * In one transaction: leases a record that no attempt owns, due or not, and audits the lease. A record that needs
   * attention still needs it after the lease; any other record becomes due when the lease expires. A sending attempt
   * leases only an unresolved record whose latest attempt is `after`. Null if the record does not exist.
   */
  lease(kycRecordId: string, step: ManualStep, by: AuditOrigin): Promise<LeaseResult | null>;
  /**
   * In one transaction: resolves an unresolved record by a manual decision, and adds the history row and the audit
   * entry, and the note. Other records stay unchanged. `changed` for another version. Null if the record does not exist.
   */
  resolve(
    kycRecordId: string,
    resolution: { decision: ManualDecision; version?: string | undefined; note?: NewNote | undefined },
    by: AuditOrigin,
  ): Promise<RecordChange | "changed" | null>;
}

/** Reads records over several platforms, under a role of the database that sees these platforms only. */
export interface RecordSearch {
  search(platforms: PersonPlatforms, query: RecordSearchQuery): Promise<RecordSearchPage>;
  counts(platforms: PersonPlatforms, assignee: string | null): Promise<RecordCounts>;
  /**
   * The changes after a position, in the order of their commits, without gaps. Without a position: the current position
   * and no changes.
   * @throws Failure INVALID_INPUT for a position beyond the present.
   */
  changes(platforms: PersonPlatforms, lastEventId?: string): Promise<RecordChangePage>;
}

/** Which records to requeue. */
export interface RequeueFilter {
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

/** A note to store. */
export interface NewNote {
  noteId: string;
  text: string;
  restricted: boolean;
  actor: string;
  /** The person who wrote it; null for a call without a person. */
  personId: string | null;
}

/** Notes of operators about records, encrypted with the data key of the record's user. */
export interface RecordNotes {
  /**
   * The notes of a record, oldest first. `restricted` includes the restricted ones; otherwise `hidden` counts them. Null
   * if the record does not exist.
   */
  list(kycRecordId: string, restricted: boolean): Promise<{ notes: RecordNote[]; hidden: number } | null>;
  /**
   * In one transaction: adds a note and audits it.
   * @throws Failure KYC_RECORD_NOT_FOUND, KYC_RECORD_CONFLICT if the user is erased or the record has 500 notes.
   */
  add(kycRecordId: string, note: NewNote, by: AuditOrigin): Promise<RecordNote>;
}
