import type { AuditEntry, AuditOutcome, ClaimRequest } from "@cardbridge/domain";
import { note } from "../audit/statements.ts";
import type { Tx } from "../statements.ts";

/** The entry of a claim, as the audit keeps it. */
export const noteOf = ({ by }: ClaimRequest, outcome: AuditOutcome, subject: string): AuditEntry => ({
  ...by,
  act: "kyc.submit",
  subject,
  outcome,
});

/** What the audit is told of a claim, by statements that go with its last ones. */
export function claimNotes(tx: Tx, platformId: string, request: ClaimRequest) {
  const { kycRecordId } = request;
  const noted = (outcome: AuditOutcome, subject: string) =>
    note(tx, platformId, noteOf(request, outcome, subject));
  return {
    made: () => noted("done", kycRecordId),
    /** A claim that meets its own record, because nobody knew whether its commit arrived, is noted already. */
    replayed: (subject: string) => (subject === kycRecordId ? [] : [noted("replayed", subject)]),
  };
}
