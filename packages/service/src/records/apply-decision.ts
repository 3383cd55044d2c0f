import {
  type AuditOrigin,
  applyManualDecision,
  type ManualDecision,
  type NewNote,
  type RecordChange,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Tx } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { approvesWithoutEmail, lockRecord, writeChange } from "../kyc/write-change.ts";
import { insertNote, prepareNote } from "../notes/note.ts";
import { appendEntry } from "../operation/audit.ts";

export interface Resolution {
  platformId: string;
  kycRecordId: string;
  decision: ManualDecision;
  /** The version that the caller saw; undefined for the current one. */
  version?: string | undefined;
  note?: NewNote | undefined;
  by: AuditOrigin;
}

/** A resolution whose last statements are sent: a commit has to follow. */
interface Resolved {
  statements: readonly [Promise<boolean>, ...Promise<unknown>[]];
  before: RecordChange["before"];
  record: RecordChange["record"];
}

/**
 * Resolves a record in the caller's transaction, with its history, its note and its audit entry. A record that is
 * resolved stays unchanged. `changed`: the record has another version.
 * @throws Failure KYC_RECORD_CONFLICT if the note cannot be stored.
 */
export async function applyDecision(
  tx: Tx,
  ring: KeyRing,
  { platformId, kycRecordId, decision, version, note, by }: Resolution,
): Promise<Resolved | "changed"> {
  const noteRow = note && (await prepareNote(tx, ring, { platformId, kycRecordId }, note));
  const before = await lockRecord(tx, platformId, kycRecordId);
  const record = applyManualDecision(before, decision);
  if (record === before) return { before, record, statements: [Promise.resolve(false)] };
  if (version !== undefined && version !== (await versionOf(tx, platformId, kycRecordId))) return "changed";
  const statements = [
    approvesWithoutEmail(tx, platformId, before, record),
    ...writeChange(tx, { platformId, record, source: "person", actor: by.actor }),
    ...(noteRow ? [insertNote(tx, noteRow)] : []),
    appendEntry(tx, platformId, { ...by, subject: kycRecordId, outcome: "done" }),
  ] as const;
  return { before, record, statements };
}

async function versionOf(tx: Tx, platformId: string, kycRecordId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ version: string | null }>(
    sql`select record_version(${platformId}, ${kycRecordId}) as version`,
  );
  return rows[0]?.version ?? null;
}
