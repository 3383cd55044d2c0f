import {
  type AuditListQuery,
  auditListQuery,
  auditPage,
  internalPlatformId,
  type PersonPlatforms,
} from "@cardbridge/domain";
import { and, eq, getTableColumns, isNotNull, max, sql } from "drizzle-orm";
import { auditEntries, auditExports } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { type Call, platformsOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms, platformIdsOf } from "../operation/reach.ts";
import { namedPersons } from "../persons/names.ts";
import { formatPosition, parsePosition } from "../search/cursor.ts";
import { mergeScans } from "../search/merge-scans.ts";
import { indexesOnly } from "../search/order.ts";
import { exampleEntry, type Position, toListed } from "./entries.ts";
import { endOfExport } from "./exported-months.ts";
import { readScans, type Scan, type ScanRow, scansOf } from "./scans.ts";

const format = /^(\d{1,18})\.(\d{1,18})$/;

/** Lists the audit of the platforms that the caller may access. */
export const listAudit = defineOperation({
  ...forOperators("ops.audit"),
  reach: "platforms",
  id: "audit.list",
  kind: "read",
  summary: "List audit entries",
  description:
    "Lists the audit entries of a platform, or of all that the caller may access, newest first, and says how far back it " +
    "reached. A page reads at most 50,000 entries; then `narrow` is true. Entries about keys, persons and platforms are " +
    "under the platform `internal`, which only callers with access to all platforms read.",
  input: auditListQuery,
  rules: [],
  output: auditPage,
  example: {
    input: { subject: exampleEntry.subject },
    output: {
      entries: [{ ...exampleEntry, platformId: "plt_01jexample0000000000000000", by: null }],
      nextCursor: null,
      narrow: false,
      reachesTo: exampleEntry.at,
      since: null,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run(ports, call, query) {
    const platforms = readable(call, namedPlatforms(call, platformIdsOf(query)));
    const { cursor, limit } = query;
    const start = cursor === undefined ? undefined : toPosition(platforms, query, cursor);
    const { page, rows, since } = await ports.database.asOperators(platforms, async (tx) => {
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
      ports,
      listed.map(({ person }) => person),
    );
    const { next, narrow, last } = page;
    const reached = next ?? last;
    const data = {
      entries: listed.map((entry) => ({ ...entry, by: personOf(entry.person) })),
      nextCursor: next && formatPosition({ platforms, query }, [next.txid, next.id]),
      narrow,
      reachesTo: reached && new Date(reached.at).toISOString(),
      since,
    };
    return { data };
  },
});

/** A person's token may list `internal`, but its entries are about all platforms. */
function readable(call: Call, platforms: PersonPlatforms): PersonPlatforms {
  if (platforms === "all" || platformsOf(call) === "all") return platforms;
  return platforms.filter((platformId) => platformId !== internalPlatformId);
}

function toPosition(platforms: PersonPlatforms, query: AuditListQuery, cursor: string): Position {
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
