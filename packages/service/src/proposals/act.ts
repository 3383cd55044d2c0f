import {
  type AuditOrigin,
  Failure,
  type NewNote,
  type ProposalKind,
  type RecordChange,
} from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { appendEntry } from "../operation/audit.ts";
import { resolveRecord } from "../records/apply-decision.ts";
import { changeNames } from "../users/change-names.ts";
import type { ProposalPayload, ProposalRef } from "./payload.ts";

/** The operation that each kind proposes. */
const operations = {
  approve: "records.resolve",
  relink: "users.relink",
  erase: "users.erase",
  liftHold: "holds.lift",
} as const satisfies Record<ProposalKind, string>;

export interface ConfirmedAct {
  row: ProposalRef;
  payload: ProposalPayload | null;
  /** The proposer's note about an approval, for the record. */
  note: Omit<NewNote, "text">;
  by: AuditOrigin;
}

/**
 * Carries out a confirmed act in the caller's transaction, which holds the locks of decide_proposal, and audits it.
 * @throws Failure of the act.
 */
export async function carryOut(
  tx: Tx,
  keys: PersonalDataKeys,
  { row, payload, note, by: { operation: _confirmation, ...origin } }: ConfirmedAct,
): Promise<RecordChange | null> {
  const { kind, platformId, externalUserId, kycRecordId, holdId } = row;
  const by = { ...origin, operation: operations[kind] };
  if (kind === "approve") return approve(tx, keys, { row, payload, note, by });
  if (kind === "relink") {
    await changeNames(tx, keys, { platformId, userId: externalUserId }, payload?.names ?? {});
  } else if (kind === "erase") {
    await tx
      .update(users)
      .set({ eraseRequestedAt: sql`coalesce(${users.eraseRequestedAt}, clock_timestamp())` })
      .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId), isNull(users.erasedAt)));
  } else {
    await tx.execute(sql`select lift_hold(${holdId}, ${by.actor})`);
  }
  const subject = kind === "liftHold" ? (kycRecordId ?? externalUserId) : externalUserId;
  await appendEntry(tx, platformId, { ...by, subject, outcome: "done" });
  return null;
}

async function approve(
  tx: Tx,
  { ring }: PersonalDataKeys,
  { row: { platformId, kycRecordId }, payload, note, by }: ConfirmedAct,
): Promise<RecordChange> {
  if (kycRecordId === null || !payload?.decision) throw new Failure("KYC_RECORD_NOT_FOUND");
  const newNote = payload.note === null ? undefined : { ...note, text: payload.note };
  const { decision } = payload;
  const resolved = await resolveRecord(tx, ring, { platformId, kycRecordId, decision, note: newNote, by });
  // The version and the lock of decide_proposal exclude another change.
  if (resolved === "changed" || resolved.before === resolved.record)
    throw new Error("The record is resolved.");
  const [approvedWithoutEmail] = await Promise.all(resolved.statements);
  return { before: resolved.before, record: resolved.record, approvedWithoutEmail };
}
