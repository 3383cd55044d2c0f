import { Failure, type RecordChange } from "@cardbridge/domain";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import type { ConfirmedAct } from "../proposals/acts.ts";
import { applyDecision } from "./apply-decision.ts";

/** Resolves a record as two persons decided, in the transaction of the confirmation. It is audited there. */
export async function approveRecord(
  tx: Tx,
  { ring }: PersonalDataKeys,
  { row: { platformId, kycRecordId }, payload, note, by }: ConfirmedAct,
): Promise<RecordChange> {
  if (kycRecordId === null || !payload?.decision) throw new Failure("KYC_RECORD_NOT_FOUND");
  const newNote = payload.note === null ? undefined : { ...note, text: payload.note };
  const { decision } = payload;
  const resolved = await applyDecision(tx, ring, { platformId, kycRecordId, decision, note: newNote, by });
  // The version and the lock of decide_proposal exclude another change.
  if (resolved === "changed" || resolved.before === resolved.record)
    throw new Error("The record is resolved.");
  const [approvedWithoutEmail] = await Promise.all(resolved.statements);
  return { before: resolved.before, record: resolved.record, approvedWithoutEmail };
}
