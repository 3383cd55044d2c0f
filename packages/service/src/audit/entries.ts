import { type ListedAuditEntry, personOf } from "@cardbridge/domain";
import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { auditEntries } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";
import type { Entry } from "./digest.ts";

const { placeholder } = sql;

export const exampleEntry = {
  id: "1",
  at: "2026-01-31T12:00:00.000Z",
  actor: "key_01jexample0000000000000000",
  person: null,
  operation: "kyc.submit",
  subject: "kyc_01jexample0000000000000000",
  outcome: "done",
  purpose: null,
  address: "192.0.2.1",
  requestId: "req_01jexample0000000000000000",
  count: null,
};

/** A position in the order in which checkpoints cover entries. */
export interface Position {
  txid: bigint;
  id: bigint;
}

/** The columns of an entry. Its platform is known. */
const { platformId: _platformId, ...columns } = getTableColumns(auditEntries);
const position = sql`(${auditEntries.txid}, ${auditEntries.id})`;

/** The conditions of prepared statements: the platform, and a position before and one at the end. */
export const isOfPlatform = eq(auditEntries.platformId, placeholder("platformId"));
export const isBehind = sql`${position} > (${placeholder("txid")}::bigint, ${placeholder("id")}::bigint)`;
export const isUpTo = sql`${position} <= (${placeholder("lastTxid")}::bigint, ${placeholder("lastId")}::bigint)`;

/** A statement that reads a platform's entries behind a position, in the order of checkpoints. */
export const selectEntries = (tx: Tx, condition: SQL | undefined) =>
  tx
    .select(columns)
    .from(auditEntries)
    .where(and(isOfPlatform, isBehind, condition))
    .orderBy(asc(auditEntries.txid), asc(auditEntries.id));

const statements = perConnection((tx) => ({
  entriesUpTo: selectEntries(tx, isUpTo).limit(placeholder("limit")).prepare("audit_entries_up_to"),
}));

interface EntryRange extends Position {
  platformId: string;
  lastTxid: bigint;
  lastId: bigint;
  limit: number;
}

/** Reads up to `limit` of a platform's entries behind a position, up to a last one. */
export function readEntries(tx: Tx, range: EntryRange): Promise<Entry[]> {
  return statements(tx).entriesUpTo.execute({ ...range });
}

/** Converts a row into an entry for operators. */
export function toListed({ txid: _txid, id, at, actor, ...entry }: Entry): ListedAuditEntry {
  const person = personOf(actor);
  const key = person === null ? actor : actor.slice(person.length + 1);
  return { ...entry, actor: key, person, id: String(id), at: at.toISOString() };
}
