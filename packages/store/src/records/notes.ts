import { Failure, type Persons, type RecordNote, type RecordNotes } from "@cardbridge/domain";
import { and, asc, count, eq, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { appendEntry } from "../audit/statements.ts";
import type { Database } from "../database.ts";
import { unwrapDataKey, type WrappedKey } from "../encryption/data-key.ts";
import type { KeySet } from "../encryption/keys.ts";
import { decryptData, encryptData } from "../encryption/personal-data.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { findPlatform } from "../kyc/find-platform.ts";
import { namedPersons } from "../persons/named-persons.ts";
import { requireRow } from "../require-row.ts";
import { shownMoment } from "../schema/columns.ts";
import { noteColumns } from "../schema/record-work.ts";
import { kycRecords, recordNotes as notes, users } from "../schema.ts";
import type { Tx } from "../statements.ts";
import { pipelineCommit } from "../transaction.ts";

/** The most notes of a record. */
const maxNotes = 500;

/** The insertable columns of record_notes. Drizzle's insert lists every column of its table, granted or not. */
const newNotes = pgTable("record_notes", noteColumns());

const createdAt = shownMoment(sql`${notes.createdAt}`);
const fields = {
  noteId: notes.id,
  encrypted: notes.encrypted,
  restricted: notes.restricted,
  actor: notes.actor,
  personId: notes.personId,
  createdAt,
};

/** The notes of operators about records; see the port for the contract. */
export function recordNotes(database: Database, keys: KeySet, names: Persons["names"]): RecordNotes {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    async list(kycRecordId, restricted) {
      const { ring } = await verifiedKeys();
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      const isOfRecord = and(eq(notes.platformId, platformId), eq(notes.recordId, kycRecordId));
      const isShown = restricted ? isOfRecord : and(isOfRecord, eq(notes.restricted, false));
      const { rows, total, owner } = await database.asPlatform<Stored>(platformId, async (tx) => {
        const shown = tx
          .select(fields)
          .from(notes)
          .where(isShown)
          .orderBy(asc(notes.createdAt), asc(notes.id));
        const all = tx.select({ total: count() }).from(notes).where(isOfRecord);
        return pipelineCommit(
          [ownerOf(tx, platformId, kycRecordId), shown, all],
          ([[user], rows, [counted]]) => ({
            owner: user,
            rows,
            total: counted?.total ?? 0,
          }),
        );
      });
      const dataKey = dataKeyOf(owner);
      // An erasure destroys the key and deletes the notes in one transaction.
      if (!owner || !dataKey) return { notes: [], hidden: 0 };
      const key = unwrapDataKey(dataKey, { platformId, userId: owner.userId }, ring);
      const personOf = await namedPersons(
        names,
        rows.map(({ personId }) => personId),
      );
      return {
        hidden: total - rows.length,
        notes: rows.map(({ encrypted, personId, ...note }) => ({
          ...note,
          text: decryptData<string>(encrypted, key, rowOf(platformId, kycRecordId, note.noteId)),
          by: personOf(personId),
        })),
      };
    },

    async add(kycRecordId, { noteId, text, restricted, actor, personId }, by) {
      const { ring } = await verifiedKeys();
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) throw new Failure("KYC_RECORD_NOT_FOUND");
      const stored = await database.asPlatform<{ createdAt: string }>(platformId, async (tx) => {
        // Erasures and other notes about the user wait for this transaction.
        const [owner] = await ownerOf(tx, platformId, kycRecordId).for("no key update", { of: users });
        if (!owner) throw new Failure("KYC_RECORD_NOT_FOUND");
        const dataKey = dataKeyOf(owner);
        if (!dataKey) throw conflict("The user is erased. Notes about the user cannot be stored.");
        const isOfRecord = and(eq(notes.platformId, platformId), eq(notes.recordId, kycRecordId));
        const [counted] = await tx.select({ total: count() }).from(notes).where(isOfRecord);
        if ((counted?.total ?? 0) >= maxNotes) throw conflict(`The record has ${maxNotes} notes already.`);
        const key = unwrapDataKey(dataKey, { platformId, userId: owner.userId }, ring);
        const encrypted = encryptData(text, key, rowOf(platformId, kycRecordId, noteId));
        const row = { id: noteId, platformId, recordId: kycRecordId, restricted, encrypted, actor, personId };
        const inserted = tx.insert(newNotes).values(row);
        const added = tx
          .select({ createdAt })
          .from(notes)
          .where(and(eq(notes.platformId, platformId), eq(notes.id, noteId)));
        const audited = appendEntry(tx, platformId, { ...by, subject: kycRecordId, outcome: "done" });
        return pipelineCommit([inserted, added, audited], ([, rows]) => requireRow(rows, "note"));
      });
      const personOf = await namedPersons(names, [personId]);
      return {
        noteId,
        text,
        restricted,
        by: personOf(personId),
        actor,
        createdAt: stored.createdAt,
      } satisfies RecordNote;
    },
  };
}

interface Stored {
  owner: Owner | undefined;
  rows: {
    noteId: string;
    encrypted: Buffer;
    restricted: boolean;
    actor: string;
    personId: string | null;
    createdAt: string;
  }[];
  total: number;
}

interface Owner {
  userId: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
}

/** The user of a record, with the wrapped data key. */
function ownerOf(tx: Tx, platformId: string, kycRecordId: string) {
  return tx
    .select({ userId: users.id, dataKey: users.dataKey, keyVersion: users.keyVersion })
    .from(kycRecords)
    .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
    .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
}

/** Null after an erasure. */
function dataKeyOf(owner: Owner | undefined): WrappedKey | null {
  if (!owner || owner.dataKey === null || owner.keyVersion === null) return null;
  return { dataKey: owner.dataKey, keyVersion: owner.keyVersion };
}

/** A note's text is bound to its platform, its record and its id. */
const rowOf = (platformId: string, kycRecordId: string, noteId: string) =>
  ({ platformId, table: "record_notes", rowId: `${kycRecordId}/${noteId}` }) as const;

function conflict(message: string): Failure {
  return new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "record-state", message }] });
}
