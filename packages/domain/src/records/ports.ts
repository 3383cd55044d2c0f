import type { AuditOrigin } from "../audit/entry.ts";
import type { ManualDecision } from "../kyc/manual-decision.ts";
import type { DueAttempt, RecordChange } from "../kyc/ports.ts";
import type { RecordDetails, RecordSummary } from "./record.ts";

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
  /** Null if the record does not exist. */
  show(kycRecordId: string): Promise<RecordDetails | null>;
  /**
   * In one transaction: leases a record that no attempt owns, due or not, and audits the lease. A record that needs
   * attention still needs it after the lease; any other record becomes due when the lease expires. A sending attempt
   * leases only an unresolved record whose latest attempt is `after`. Null if the record does not exist.
   */
  lease(kycRecordId: string, step: ManualStep, by: AuditOrigin): Promise<LeaseResult | null>;
  /**
   * In one transaction: resolves an unresolved record by a manual decision, and adds the history row and the audit
   * entry. Other records stay unchanged. Null if the record does not exist.
   */
  resolve(kycRecordId: string, decision: ManualDecision, by: AuditOrigin): Promise<RecordChange | null>;
}
