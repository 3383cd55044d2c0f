import type { AuditOutcome, ClaimRequest } from "@cardbridge/domain";
import { note } from "../audit/statements.ts";
import type { Tx } from "../statements.ts";

/** What the audit is told of a claim, by statements that go with its last ones. */
export function claimNotes(tx: Tx, platformId: string, { by, kycRecordId }: ClaimRequest) {
  const noted = (outcome: AuditOutcome, subject: string) =>
    note(tx, platformId, { ...by, act: "kyc.submit", subject, outcome });
  return {
    made: () => noted("done", kycRecordId),
    /** A claim that meets its own record, because nobody knew whether its commit arrived, is noted already. */
    replayed: (subject: string) => (subject === kycRecordId ? [] : [noted("replayed", subject)]),
  };
}
