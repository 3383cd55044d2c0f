import type { AuditEntry, AuditOutcome, RecordRequest } from "@cardbridge/domain";
import type { Tx } from "../database/statements.ts";
import { appendEntry } from "../operation/audit.ts";

/** The audit entry of a submission. */
export const creationEntry = ({ by }: RecordRequest, outcome: AuditOutcome, subject: string): AuditEntry => ({
  ...by,
  subject,
  outcome,
});

/** The statements that audit a submission. Send them with its last statements. */
export function auditCreation(tx: Tx, platformId: string, request: RecordRequest) {
  const append = (outcome: AuditOutcome, subject: string) =>
    appendEntry(tx, platformId, creationEntry(request, outcome, subject));
  return {
    done: () => append("done", request.kycRecordId),
    /** A submission that finds its own record is already audited: its first commit succeeded without a confirmation. */
    replayed: (subject: string) => (subject === request.kycRecordId ? [] : [append("replayed", subject)]),
  };
}
