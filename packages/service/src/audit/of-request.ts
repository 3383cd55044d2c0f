import { type AuditedRequest, maxRowsOfSearch, type PersonPlatforms } from "@cardbridge/domain";
import { asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { auditEntries } from "../database/schema.ts";
import { listPlatforms } from "./list-statements.ts";
import { toListed } from "./to-listed.ts";

const maxEntries = 100;

/**
 * Finds the entries of a request. No index has the request ids, because each call would write it: this reads the latest
 * entries of each platform, up to 50,000 in all.
 */
export function entriesOfRequest(
  database: Database,
  platforms: PersonPlatforms,
  requestId: string,
): Promise<AuditedRequest["entries"]> {
  return database.asOperators(platforms, async (tx) => {
    const ids = platforms === "all" ? await listPlatforms(tx) : platforms;
    if (ids.length === 0) return [];
    const latest = tx
      .select(getTableColumns(auditEntries))
      .from(auditEntries)
      .where(sql`${auditEntries.platformId} = platform.id`)
      .orderBy(desc(auditEntries.txid), desc(auditEntries.id))
      .limit(Math.floor(maxRowsOfSearch / ids.length))
      .as("latest");
    const rows = await tx
      .select({
        id: latest.id,
        platformId: latest.platformId,
        actor: latest.actor,
        operation: latest.operation,
        subject: latest.subject,
        outcome: latest.outcome,
        requestId: latest.requestId,
        address: latest.address,
        purpose: latest.purpose,
        at: latest.at,
        txid: latest.txid,
        count: latest.count,
      })
      .from(sql`unnest(${sql.param([...ids])}::text[]) as platform (id)`)
      .crossJoinLateral(latest)
      .where(eq(latest.requestId, requestId))
      .orderBy(asc(latest.at), asc(latest.id))
      .limit(maxEntries);
    return rows.map(({ platformId, ...entry }) => ({ ...toListed(entry), platformId }));
  });
}
