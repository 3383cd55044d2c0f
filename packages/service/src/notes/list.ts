import { type RecordNotePage, recordNotePage, recordReference } from "@cardbridge/domain";
import { and, asc, count, eq, type SQL } from "drizzle-orm";
import { recordNotes as notes } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { unwrapDataKey } from "../encryption/data-key.ts";
import { decryptData } from "../encryption/personal-data.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";
import {
  createdAt,
  dataKeyOf,
  exampleNote,
  exampleRecordId as kycRecordId,
  mayReadRestricted,
  ownerOf,
  rowOfNote,
} from "./note.ts";

/** Lists the notes about a record. */
export const listRecordNotes = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.notes",
  kind: "read",
  summary: "List a record's notes",
  description: "Lists the notes about a record. Only callers with ops.compliance read restricted notes.",
  input: recordReference,
  rules: [],
  output: recordNotePage,
  example: { input: { kycRecordId }, output: { kycRecordId, notes: [exampleNote], hidden: 0 } },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run(ports, call, { kycRecordId }) {
    const { platformId } = call;
    const restricted = mayReadRestricted(call);
    return { data: await readNotes(ports, { platformId, kycRecordId, restricted }) };
  },
});

interface Wanted {
  platformId: string;
  kycRecordId: string;
  /** Whether the result includes the restricted notes; otherwise `hidden` counts them. */
  restricted: boolean;
}

/**
 * Reads the notes about a record, oldest first; none after an erasure of its user.
 * @throws Failure SERVICE_UNAVAILABLE if a note cannot be decrypted.
 */
export async function readNotes(
  ports: NamePorts,
  { platformId, kycRecordId, restricted }: Wanted,
): Promise<RecordNotePage> {
  const { ring } = await ports.personalDataKeys();
  const isOfRecord = and(eq(notes.platformId, platformId), eq(notes.recordId, kycRecordId));
  const isShown = restricted ? isOfRecord : and(isOfRecord, eq(notes.restricted, false));
  const [[owner], rows, [counted]] = await ports.database.asPlatform(platformId, async (tx) => {
    const all = tx.select({ total: count() }).from(notes).where(isOfRecord);
    const statements = [ownerOf(tx, platformId, kycRecordId), selectNotes(tx, isShown), all] as const;
    return pipelineCommit(statements, (results) => results);
  });
  const dataKey = dataKeyOf(owner);
  // An erasure destroys the key and deletes the notes in one transaction.
  if (!owner || !dataKey) return { kycRecordId, notes: [], hidden: 0 };
  const key = unwrapDataKey(dataKey, { platformId, userId: owner.userId }, ring);
  const nameOf = await namedPersons(
    ports,
    rows.map(({ personId }) => personId),
  );
  return {
    kycRecordId,
    hidden: (counted?.total ?? 0) - rows.length,
    notes: rows.map(({ encrypted, personId, ...note }) => ({
      ...note,
      text: decryptData<string>(encrypted, key, rowOfNote(platformId, kycRecordId, note.noteId)),
      by: nameOf(personId),
    })),
  };
}

/** Selects notes, oldest first. */
function selectNotes(tx: Tx, isShown: SQL | undefined) {
  return tx
    .select({
      noteId: notes.id,
      encrypted: notes.encrypted,
      restricted: notes.restricted,
      actor: notes.actor,
      personId: notes.personId,
      createdAt,
    })
    .from(notes)
    .where(isShown)
    .orderBy(asc(notes.createdAt), asc(notes.id));
}
