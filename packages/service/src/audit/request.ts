import { auditedRequest, auditedRequestQuery, maxRowsOfSearch } from "@cardbridge/domain";
import { asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { auditEntries } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { toListed } from "./entries.ts";
import { listPlatforms } from "./scans.ts";

const maxEntries = 100;

/** Shows the audited outcomes of a request. */
export const showAuditedRequest = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "audit.request",
  kind: "read",
  summary: "Show the outcomes of a request",
  description:
    "Shows the audited outcomes of a request, by the requestId that its caller reports, on the platforms that the " +
    "caller may access. It reads the latest entries of each platform: 50,000 divided by the number of platforms. Name " +
    "the platform to look further back.",
  input: auditedRequestQuery,
  rules: [],
  output: auditedRequest,
  example: { input: { requestId: "req_01jexample0000000000000000" }, output: { entries: [] } },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, call, { requestId, platformIds }) {
    const platforms = namedPlatforms(call, platformIds);
    const rows = await database.asOperators(platforms, async (tx) => {
      const ids = platforms === "all" ? await listPlatforms(tx) : platforms;
      return ids.length === 0 ? [] : entriesOf(tx, ids, requestId);
    });
    return {
      data: { entries: rows.map(({ platformId, ...entry }) => ({ ...toListed(entry), platformId })) },
    };
  },
});

/**
 * The entries of a request, oldest first. No index has the request ids, because each call would write it: this reads the
 * latest entries of each platform, up to 50,000 in all.
 */
export function entriesOf(tx: Tx, platformIds: readonly string[], requestId: string) {
  const latest = tx
    .select(getTableColumns(auditEntries))
    .from(auditEntries)
    .where(sql`${auditEntries.platformId} = platform.id`)
    .orderBy(desc(auditEntries.txid), desc(auditEntries.id))
    .limit(Math.floor(maxRowsOfSearch / platformIds.length))
    .as("latest");
  return tx
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
    .from(sql`unnest(${sql.param([...platformIds])}::text[]) as platform (id)`)
    .crossJoinLateral(latest)
    .where(eq(latest.requestId, requestId))
    .orderBy(asc(latest.at), asc(latest.id))
    .limit(maxEntries);
}
