import { internalPlatformId, type Rewrapped, rewrapInput, rewrapped } from "@cardbridge/domain";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { files, persons, users, webhookEndpoints } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { rewrapDataKey, type WrappedKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { rewrapFileKey } from "../files/file-key.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { rewrapPersonKey } from "../persons/person-key.ts";
import { rewrapEndpointKey } from "../webhooks/endpoint-key.ts";

type Rewrap = (wrapped: WrappedKey, row: { platformId: string; id: string }, ring: KeyRing) => WrappedKey;

/** The tables with keys wrapped under the ring. The user's key wraps the key of a file that a submission uses. */
const tables: Record<
  "files" | "persons" | "users" | "webhook_endpoints",
  { table: typeof files | typeof persons | typeof users | typeof webhookEndpoints; rewrap: Rewrap }
> = {
  files: {
    table: files,
    rewrap: (key, { platformId, id }, ring) => rewrapFileKey(key, { platformId, fileId: id }, ring),
  },
  persons: {
    table: persons,
    rewrap: (key, { id }, ring) => rewrapPersonKey(key, id, ring),
  },
  users: {
    table: users,
    rewrap: (key, { platformId, id }, ring) => rewrapDataKey(key, { platformId, userId: id }, ring),
  },
  webhook_endpoints: {
    table: webhookEndpoints,
    rewrap: (key, { platformId, id }, ring) => rewrapEndpointKey(key, { platformId, endpointId: id }, ring),
  },
};

/** A row whose key is wrapped under a version of the ring other than the current version. */
interface Outdated {
  table: keyof typeof tables;
  platformId: string;
  id: string;
}

type Counts = Pick<Rewrapped, "rewrapped" | "failed">;

/** Re-encrypts one batch of data keys under the current version of the key ring. */
export const rewrapEncryptionKeys = defineOperation({
  ...forOperators("ops.encryption"),
  reach: "service",
  id: "encryptionKeys.rewrap",
  kind: "write",
  summary: "Rewrap data keys",
  description:
    "Re-encrypts the next data keys of users, unused files, webhook endpoints and persons under the current version, without " +
    "downtime. Call again with `next` as `after` until `next` is null.",
  input: rewrapInput,
  rules: [],
  output: rewrapped,
  example: { input: {}, output: { version: 2, rewrapped: 4, failed: 0, next: null } },
  errors: [],
  audit: [],

  async run({ database, personalDataKeys }, _call, { after, limit }) {
    const { ring } = await personalDataKeys();
    const found = await findOutdated(database, { current: ring.current, after, limit: limit + 1 });
    const batch = found.slice(0, limit);
    const counts: Counts = { rewrapped: 0, failed: 0 };
    const groups = Map.groupBy(batch, ({ table, platformId }) => `${table} ${platformId}`);
    for (const rows of groups.values()) {
      const { rewrapped, failed } = await rewrapRows(database, ring, rows);
      counts.rewrapped += rewrapped;
      counts.failed += failed;
    }
    const last = found.length > limit ? batch.at(-1) : undefined;
    const next = last ? `${last.table}:${last.id}` : null;
    return { data: { version: ring.current, ...counts, next } };
  },
});

/** Searches all platforms and the persons, who belong to none, and returns only ids, ordered by table and id. */
async function findOutdated(
  database: Database,
  { current, after, limit }: { current: number; after: string; limit: number },
): Promise<Outdated[]> {
  const [afterTable = "", afterId = ""] = after.split(":");
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ table_name: Outdated["table"]; platform_id: string; row_id: string }>(
      sql`select table_name, platform_id, row_id from list_keys_to_rewrap(${current}, ${afterTable}, ${afterId}, ${limit})
        union all
        select 'persons', ${internalPlatformId}, id from persons
        where key_version <> ${current} and ('persons', id) > (${afterTable}, ${afterId})
        order by 1, 3 limit ${limit}`,
    ),
  );
  return rows.map((row) => ({ table: row.table_name, platformId: row.platform_id, id: row.row_id }));
}

/**
 * Runs one transaction for rows of one table and platform. It locks users in the same order as submissions do. It
 * skips rows whose key was destroyed or rewrapped under the user's key in the meantime.
 */
async function rewrapRows(database: Database, ring: KeyRing, rows: readonly Outdated[]): Promise<Counts> {
  const [first] = rows;
  if (!first) return { rewrapped: 0, failed: 0 };
  const { platformId } = first;
  const { table, rewrap } = tables[first.table];
  const ids = rows.map(({ id }) => id);
  const ofPlatform = "platformId" in table ? eq(table.platformId, platformId) : undefined;
  return database.asPlatform<Counts>(platformId, async (tx) => {
    const locked = await tx
      .select({ id: table.id, dataKey: table.dataKey, keyVersion: table.keyVersion })
      .from(table)
      .where(and(ofPlatform, inArray(table.id, ids)))
      .orderBy(asc(table.id))
      .for("no key update");
    const outdated = locked.flatMap(({ id, dataKey, keyVersion }) =>
      dataKey === null || keyVersion === null || keyVersion === ring.current
        ? []
        : [{ id, key: { dataKey, keyVersion } }],
    );
    const rewrapped = outdated.flatMap(({ id, key }) => {
      const columns = unlessUnreadable(() => rewrap(key, { platformId, id }, ring));
      return columns ? [{ id, columns }] : [];
    });
    const updates = rewrapped.map(({ id, columns }) =>
      tx
        .update(table)
        .set(columns)
        .where(and(ofPlatform, eq(table.id, id))),
    );
    return pipelineCommit(updates, () => ({
      rewrapped: rewrapped.length,
      failed: outdated.length - rewrapped.length,
    }));
  });
}

/** Null where the ring cannot decrypt the key. */
function unlessUnreadable(rewrap: () => WrappedKey): WrappedKey | null {
  try {
    return rewrap();
  } catch {
    return null;
  }
}
