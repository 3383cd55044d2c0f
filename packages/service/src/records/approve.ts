import { Failure } from "@cardbridge/domain";
import { observeChange } from "../kyc/observe.ts";
import { resolveRecord } from "../kyc/resolve.ts";
import { originOf } from "../operation/call.ts";
import type { Act } from "../proposals/confirm.ts";

/** Carries out a confirmed approval of a record, with the proposer's note. */
export const carryOutApproval: Act = async (tx, { ring }, { proposal, payload, note, call }) => {
  const { platformId, kycRecordId } = proposal;
  if (kycRecordId === null || !payload?.decision) throw new Failure("KYC_RECORD_NOT_FOUND");
  const newNote = payload.note === null ? undefined : { ...note, text: payload.note };
  const { decision } = payload;
  const by = originOf(call);
  const resolved = await resolveRecord(tx, ring, { platformId, kycRecordId, decision, note: newNote, by });
  // The version and the lock of decide_proposal exclude another change.
  if (resolved === "changed" || resolved.before === resolved.record)
    throw new Error("The record is resolved.");
  const { before, record, statements } = resolved;
  const [approvedWithoutEmail] = await Promise.all(statements);
  return (observer) => observeChange(observer, { before, record, approvedWithoutEmail });
};
