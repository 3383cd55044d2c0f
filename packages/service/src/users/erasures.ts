import type { Erasures, ListedBlobs } from "@cardbridge/domain";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeySet } from "../encryption/keys.ts";
import { erasureLog } from "./erasure-log.ts";

interface ErasureOptions {
  keys: Pick<KeySet, "erasures">;
  /** The store of the log of erasures. */
  blobs: Pick<ListedBlobs, "create" | "get">;
}

/** Erases users; see the port for the contract. The SQL function erase_users defines what is destroyed. */
export function erasures(database: Database, { keys, blobs }: ErasureOptions): Erasures {
  const log = erasureLog(database, { blobs, key: keys.erasures });

  async function count(query: SQL): Promise<number> {
    const { rows } = await database.withoutPlatform((tx) => tx.execute<{ count: number }>(query));
    return rows[0]?.count ?? 0;
  }

  return {
    request: (platformId, externalUserId) =>
      database.asPlatform(platformId, async (tx) => {
        const requested = tx
          .update(users)
          .set({ eraseRequestedAt: sql`coalesce(${users.eraseRequestedAt}, clock_timestamp())` })
          .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId), isNull(users.erasedAt)))
          .returning({ id: users.id });
        return pipelineCommit([requested], ([rows]) => rows.length > 0);
      }),

    requestExpired: (days, limit) =>
      count(sql`select request_expired_erasures(${`${days} days`}::interval, ${limit})::int as count`),

    async eraseDue(limit) {
      await log.record(limit);
      return count(sql`select erase_users(${limit})::int as count`);
    },

    sweep: (days, limit) =>
      count(sql`select sweep_users(${`${days} days`}::interval, ${limit})::int as count`),
  };
}
