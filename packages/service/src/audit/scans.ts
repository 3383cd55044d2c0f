import { type AuditProofQuery, maxRowsOfSearch, type PersonPlatforms } from "@cardbridge/domain";
import { and, desc, eq, like, or, type SQL, sql } from "drizzle-orm";
import { auditEntries, platforms as platformTable } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { Scanned } from "../paging/merge-scans.ts";
import type { Position } from "./entries.ts";

/** A scan of a platform's entries, newest first. */
export interface Scan {
  platformId: string;
  /** The last read entry. */
  before: Position;
}

export interface ScanRow extends Record<string, unknown>, Scanned {
  platformId: string;
  txid: string;
  id: string;
  /** Milliseconds since 1970. */
  at: number;
}

const newest: Position = { txid: 2n ** 63n - 1n, id: 2n ** 63n - 1n };

/** One scan for each platform: no index has the entries of several platforms in one order. */
export async function scansOf(
  tx: Tx,
  platforms: PersonPlatforms,
  before: Position = newest,
): Promise<Scan[]> {
  const ids = platforms === "all" ? await listPlatforms(tx) : platforms;
  return ids.map((platformId) => ({ platformId, before }));
}

/** The ids of all platforms that a search can read. */
export async function listPlatforms(tx: Tx): Promise<string[]> {
  const rows = await tx.select({ id: platformTable.id }).from(platformTable).limit(maxRowsOfSearch);
  return rows.map(({ id }) => id);
}

/**
 * Reads the next entries of scans in the order of the primary key, up to `limit` of each: the matching ones, and the last
 * one of each scan. Times select the partitions.
 */
export function readScans(query: AuditProofQuery, scans: readonly Scan[], limit: number): SQL<ScanRow> {
  const { platformId, txid, id, at } = auditEntries;
  const condition = and(
    sql`${platformId} = scan.platform_id`,
    sql`(${txid}, ${id}) < (scan.txid, scan.id)`,
    query.after === undefined ? undefined : sql`${at} >= ${query.after}::timestamptz`,
    query.before === undefined ? undefined : sql`${at} <= ${query.before}::timestamptz`,
  );
  return sql<ScanRow>`
    select scan::int, platform_id as "platformId", txid::text, id::text,
      (extract(epoch from at) * 1000)::float8 as at, matches, read::int
    from (
      select scan.number as scan, scan.platform_id, found.*,
        row_number() over (partition by scan.number order by found.txid desc, found.id desc) as nth,
        count(*) over (partition by scan.number) as read
      from unnest(
        ${sql.param(scans.map((scan) => scan.platformId))}::text[],
        ${sql.param(scans.map(({ before }) => String(before.txid)))}::bigint[],
        ${sql.param(scans.map(({ before }) => String(before.id)))}::bigint[]
      ) with ordinality as scan (platform_id, txid, id, number)
      cross join lateral (
        select ${txid} as txid, ${id} as id, ${at} as at, ${matches(query)} as matches
        from ${auditEntries} where ${condition}
        order by ${desc(txid)}, ${desc(id)}
        limit ${limit}
      ) as found
    ) as rows
    where matches or nth = read
    order by txid desc, id desc`;
}

/** The actor of a person's call is `<personId>/<keyId>`. */
function matches({ personId, keyId, operation, subject, outcome }: AuditProofQuery): SQL {
  const { actor } = auditEntries;
  const isPerson = personId === undefined ? undefined : like(actor, `${escaped(personId)}/%`);
  const isKey =
    keyId === undefined
      ? undefined
      : personId === undefined
        ? or(eq(actor, keyId), like(actor, `per\\_%/${escaped(keyId)}`))
        : eq(actor, `${personId}/${keyId}`);
  const all = and(
    isPerson,
    isKey,
    operation === undefined ? undefined : eq(auditEntries.operation, operation),
    subject === undefined ? undefined : eq(auditEntries.subject, subject),
    outcome === undefined ? undefined : sql`${auditEntries.outcome} = ${outcome}`,
  );
  return all ? sql`coalesce(${all}, false)` : sql`true`;
}

/** Ids contain underscores, which match any character. */
const escaped = (id: string) => id.replace(/[\\%_]/g, "\\$&");
