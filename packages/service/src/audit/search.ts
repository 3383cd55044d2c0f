import { type AuditProofQuery, internalPlatformId, type PersonPlatforms } from "@cardbridge/domain";
import { and, eq, getTableColumns, isNotNull, max, sql } from "drizzle-orm";
import { auditEntries, auditExports } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { type Call, platformsOf } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";
import { namedPlatforms, platformIdsOf } from "../operation/reach.ts";
import { mergeScans } from "../paging/merge-scans.ts";
import { indexesOnly } from "../paging/order.ts";
import type { Position } from "./entries.ts";
import { endOfExport } from "./exported-months.ts";
import { readScans, type Scan, type ScanRow, scansOf } from "./scans.ts";

interface Search {
  query: AuditProofQuery;
  /** The last entry of the page before. */
  start?: Position | undefined;
  limit: number;
}

/** A page of the entries of these platforms that match, newest first. It reads at most 50,000 entries. */
export function searchEntries(
  { database }: Pick<Ports, "database">,
  platforms: PersonPlatforms,
  { query, start, limit }: Search,
) {
  return database.asOperators(platforms, async (tx) => {
    const scans = await scansOf(tx, platforms, start);
    await tx.execute(indexesOnly);
    const page = await mergeScans<Scan, ScanRow>(scans, {
      read: async (scans, size) => (await tx.execute<ScanRow>(readScans(query, scans, size))).rows,
      continueAfter: (scan, row) => ({ ...scan, before: positionOf(row) }),
      compare,
      limit,
    });
    return { page, entries: await readRows(tx, page.rows), since: await droppedUntil(tx) };
  });
}

/** The platforms that a search names and that the caller may read. */
export function searchedPlatforms(call: Call, query: AuditProofQuery): PersonPlatforms {
  return readable(call, namedPlatforms(call, platformIdsOf(query)));
}

export const positionOf = ({ txid, id }: ScanRow): Position => ({ txid: BigInt(txid), id: BigInt(id) });

/** A person's token may list `internal`, but its entries are about all platforms. */
function readable(call: Call, platforms: PersonPlatforms): PersonPlatforms {
  if (platforms === "all" || platformsOf(call) === "all") return platforms;
  return platforms.filter((platformId) => platformId !== internalPlatformId);
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
