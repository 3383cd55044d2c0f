import type { AuditListQuery, AuditPage, PersonPlatforms } from "@cardbridge/domain";
import { and, eq, getTableColumns, isNotNull, max, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { auditEntries, auditExports } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";
import { formatPosition, parsePosition } from "../search/cursor.ts";
import { mergeScans } from "../search/merge-scans.ts";
import { indexesOnly } from "../search/order.ts";
import { endOfExport } from "./exports.ts";
import { readScans, type Scan, type ScanRow, scansOf } from "./list-statements.ts";
import { toListed } from "./to-listed.ts";

const format = /^(\d{1,18})\.(\d{1,18})$/;

interface Search {
  platforms: PersonPlatforms;
  query: AuditListQuery;
  names: NamePorts;
}

/**
 * Lists entries in the order of their transactions, newest first; see the port for the contract. Named platforms are
 * scanned one by one and merged.
 */
export async function listEntries(
  database: Database,
  { platforms, query, names }: Search,
): Promise<AuditPage> {
  const { cursor, limit } = query;
  const start = cursor === undefined ? undefined : toPosition(platforms, query, cursor);
  const { page, rows, since } = await database.asOperators(platforms, async (tx) => {
    const scans = await scansOf(tx, platforms, start);
    await tx.execute(indexesOnly);
    const page = await mergeScans<Scan, ScanRow>(scans, {
      read: async (scans, size) => (await tx.execute<ScanRow>(readScans(query, scans, size))).rows,
      continueAfter: (scan, row) => ({ ...scan, before: { txid: BigInt(row.txid), id: BigInt(row.id) } }),
      compare,
      limit,
    });
    return { page, rows: await readRows(tx, page.rows), since: await droppedUntil(tx) };
  });
  const listed = rows.map((row) => ({ platformId: row.platformId, ...toListed(row) }));
  const personOf = await namedPersons(
    names,
    listed.map(({ person }) => person),
  );
  const { next, narrow, last } = page;
  const reached = next ?? last;
  return {
    entries: listed.map((entry) => ({ ...entry, by: personOf(entry.person) })),
    nextCursor: next && formatPosition({ platforms, query }, [next.txid, next.id]),
    narrow,
    reachesTo: reached && new Date(reached.at).toISOString(),
    since,
  };
}

function toPosition(platforms: PersonPlatforms, query: AuditListQuery, cursor: string) {
  const [txid = "", id = ""] = parsePosition({ platforms, query }, cursor, format);
  return { txid: BigInt(txid), id: BigInt(id) };
}

function compare(one: ScanRow, other: ScanRow): number {
  return Number(BigInt(other.txid) - BigInt(one.txid)) || Number(BigInt(other.id) - BigInt(one.id));
}

/** The entries of a page, by their primary key. */
async function readRows(tx: Tx, page: readonly ScanRow[]) {
  if (page.length === 0) return [];
  const { platformId, txid, id } = auditEntries;
  const found = tx
    .select(getTableColumns(auditEntries))
    .from(auditEntries)
    .where(and(eq(platformId, sql`page.platform_id`), eq(txid, sql`page.txid`), eq(id, sql`page.id`)))
    .limit(1)
    .as("found");
  const rows = await tx
    .select()
    .from(
      sql`unnest(
        ${sql.param(page.map((row) => row.platformId))}::text[],
        ${sql.param(page.map((row) => row.txid))}::bigint[],
        ${sql.param(page.map((row) => row.id))}::bigint[]
      ) as page (platform_id, txid, id)`,
    )
    .crossJoinLateral(found);
  const byId = new Map(rows.map((row) => [String(row.found.id), row.found]));
  return page.flatMap((row) => byId.get(row.id) ?? []);
}

/** Until when the entries of a visible platform were dropped; null if none were. */
async function droppedUntil(tx: Tx): Promise<string | null> {
  const [row] = await tx
    .select({ month: max(auditExports.month) })
    .from(auditExports)
    .where(isNotNull(auditExports.droppedAt));
  return row?.month ? endOfExport(row.month) : null;
}
