import type { AuditOrigin } from "../audit/entry.ts";
import type { ManualDecision } from "../kyc/manual-decision.ts";
import type { DueAttempt, RecordChange } from "../kyc/ports.ts";
import type { RecordDetails, RecordSummary } from "./record.ts";

export interface WaitingFilter {
  /** Leaves out what is neither held nor unsettled for longer than so many seconds. */
  stuckSeconds?: number | undefined;
  platformId?: string | undefined;
  /** 1 to 1000. */
  limit: number;
}

/**
 * `busy`: another attempt owns the record until its lease ends; where `until` is null, another attempt came in
 * between or settled the record.
 */
export type LeaseResult = ({ kind: "leased" } & DueAttempt) | { kind: "busy"; until: Date | null };

/** How a manual attempt begins; one that sends names the attempt that it follows. */
export type ManualStep = { step: "ask" } | { step: "send"; after: number };

/** What operators do with KYC records of all platforms. A record is named by its id alone. */
export interface KycAdmin {
  /** The records that are due or held: held ones first, then unsettled ones, each oldest first. */
  list(filter: WaitingFilter): Promise<RecordSummary[]>;
  /** Null where there is no such record. */
  show(kycRecordId: string): Promise<RecordDetails | null>;
  /**
   * Leases one record, due or not, with a new attempt, where no attempt owns it, and audits that in the same
   * transaction. A held record stays held; any other becomes due when the lease ends. An attempt that sends
   * leases unsettled records only, and none that was attempted since the attempt `after`. Null where there is no
   * such record.
   */
  lease(kycRecordId: string, step: ManualStep, by: AuditOrigin): Promise<LeaseResult | null>;
  /**
   * In one transaction: settles an unsettled record by a manual decision, with the history row and the audit's
   * entry. Any other record is left as it is. Null where there is no such record.
   */
  settle(kycRecordId: string, decision: ManualDecision, by: AuditOrigin): Promise<RecordChange | null>;
}
