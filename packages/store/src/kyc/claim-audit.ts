import type { AuditEntry, AuditOutcome, ClaimRequest } from "@cardbridge/domain";
import { appendEntry } from "../audit/statements.ts";
import type { Tx } from "../statements.ts";

/** The audit's entry of a claim. */
export const claimEntry = ({ by }: ClaimRequest, outcome: AuditOutcome, subject: string): AuditEntry => ({
  ...by,
  subject,
  outcome,
});

/** The statements that audit a claim; send them with its last ones. */
export function claimAudit(tx: Tx, platformId: string, request: ClaimRequest) {
  const append = (outcome: AuditOutcome, subject: string) =>
    appendEntry(tx, platformId, claimEntry(request, outcome, subject));
  return {
    done: () => append("done", request.kycRecordId),
    /** A claim that finds its own record is audited already: its first commit arrived, but its reply was lost. */
    replayed: (subject: string) => (subject === request.kycRecordId ? [] : [append("replayed", subject)]),
  };
}
