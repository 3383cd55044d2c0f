import { Failure, type NewNote, type RecordNote } from "@cardbridge/domain";
import { and, count, eq, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { shownMoment } from "../database/schema/columns.ts";
import { noteColumns } from "../database/schema/record-work.ts";
import { kycRecords, recordNotes as notes, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { unwrapDataKey, type WrappedKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { encryptData } from "../encryption/personal-data.ts";
import type { Call } from "../operation/call.ts";

/** When a note was stored, as the service shows it. */
export const createdAt = shownMoment(sql`${notes.createdAt}`);

/** The most notes of a record. */
const maxNotes = 500;

/** The insertable columns of record_notes. Drizzle's insert lists every column of its table, granted or not. */
const newNotes = pgTable("record_notes", noteColumns());

interface RecordRef {
  platformId: string;
  kycRecordId: string;
}

/**
 * Locks the record's user, so that erasures and other notes about the user wait for this transaction, and encrypts a new
 * note. Call it before the transaction locks the record.
 * @throws Failure KYC_RECORD_NOT_FOUND, KYC_RECORD_CONFLICT if the user is erased or the record has 500 notes.
 */
export async function prepareNote(
  tx: Tx,
  ring: KeyRing,
  { platformId, kycRecordId }: RecordRef,
  { noteId, text, restricted, actor, personId }: NewNote,
) {
  const [owner] = await ownerOf(tx, platformId, kycRecordId).for("no key update", { of: users });
  if (!owner) throw new Failure("KYC_RECORD_NOT_FOUND");
  const dataKey = dataKeyOf(owner);
  if (!dataKey) throw conflict("The user is erased. Notes about the user cannot be stored.");
  const isOfRecord = and(eq(notes.platformId, platformId), eq(notes.recordId, kycRecordId));
  const [counted] = await tx.select({ total: count() }).from(notes).where(isOfRecord);
  if ((counted?.total ?? 0) >= maxNotes) throw conflict(`The record has ${maxNotes} notes already.`);
  const key = unwrapDataKey(dataKey, { platformId, userId: owner.userId }, ring);
  const encrypted = encryptData(text, key, rowOfNote(platformId, kycRecordId, noteId));
  return { id: noteId, platformId, recordId: kycRecordId, restricted, encrypted, actor, personId };
}

/** Inserts a prepared note. */
export function insertNote(tx: Tx, row: Awaited<ReturnType<typeof prepareNote>>): Promise<unknown> {
  return tx.insert(newNotes).values(row).execute();
}

/** The user whose data key encrypts the notes of a record. */
interface NoteOwner {
  userId: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
}

/** The user of a record, with the wrapped data key. */
export function ownerOf(tx: Tx, platformId: string, kycRecordId: string) {
  return tx
    .select({ userId: users.id, dataKey: users.dataKey, keyVersion: users.keyVersion })
    .from(kycRecords)
    .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
    .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
}

/** Null after an erasure. */
export function dataKeyOf(owner: NoteOwner | undefined): WrappedKey | null {
  if (!owner || owner.dataKey === null || owner.keyVersion === null) return null;
  return { dataKey: owner.dataKey, keyVersion: owner.keyVersion };
}

/** A note's text is bound to its platform, its record and its id. */
export const rowOfNote = (platformId: string, kycRecordId: string, noteId: string) =>
  ({ platformId, table: "record_notes", rowId: `${kycRecordId}/${noteId}` }) as const;

/** Whether the caller may read restricted notes, and add them. */
export function mayReadRestricted({ kind, scopes }: Call): boolean {
  return kind === "operator" || scopes.has("ops.compliance");
}

function conflict(message: string): Failure {
  return new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "record-state", message }] });
}

export const exampleNote: RecordNote = {
  noteId: "note_01jexample0000000000000000",
  text: "The person sends a sharper image tomorrow.",
  restricted: false,
  by: { personId: "per_01jexample0000000000000000", name: "Ada" },
  actor: "per_01jexample0000000000000000/key_01jexample0000000000000000",
  createdAt: "2026-01-31T12:10:00.000Z",
};
/** The record of the example. */
export const exampleRecordId = "kyc_01jexample0000000000000000";
