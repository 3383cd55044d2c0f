import { Failure, type RecordNote, type RecordNotes } from "@cardbridge/domain";
import { and, asc, count, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { recordNotes as notes } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { unwrapDataKey } from "../encryption/data-key.ts";
import type { KeySet } from "../encryption/keys.ts";
import { decryptData } from "../encryption/personal-data.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { findPlatform } from "../kyc/find-platform.ts";
import {
  dataKeyOf,
  insertNote,
  type NoteOwner,
  ownerOf,
  prepareNote,
  rowOfNote,
} from "../kyc/insert-note.ts";
import { appendEntry } from "../operation/audit.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

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
export function recordNotes(database: Database, keys: KeySet, names: NamePorts): RecordNotes {
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
          text: decryptData<string>(encrypted, key, rowOfNote(platformId, kycRecordId, note.noteId)),
          by: personOf(personId),
        })),
      };
    },

    async add(kycRecordId, note, by) {
      const { noteId, text, restricted, actor, personId } = note;
      const { ring } = await verifiedKeys();
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) throw new Failure("KYC_RECORD_NOT_FOUND");
      const stored = await database.asPlatform<{ createdAt: string }>(platformId, async (tx) => {
        const row = await prepareNote(tx, ring, { platformId, kycRecordId }, note);
        const inserted = insertNote(tx, row);
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
  owner: NoteOwner | undefined;
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
