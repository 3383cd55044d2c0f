import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";
import { erasureLog } from "./erasure-log.ts";

type DatabasePort = Pick<Ports, "database">;

/** The statement that requests a user's erasure. It returns no row if the user does not exist or is erased. */
export const erasureRequest = (tx: Tx, platformId: string, externalUserId: string) =>
  tx
    .update(users)
    .set({ eraseRequestedAt: sql`coalesce(${users.eraseRequestedAt}, clock_timestamp())` })
    .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId), isNull(users.erasedAt)))
    .returning({ id: users.id });

/** Requests a user's erasure; false if the user does not exist or is erased. */
export function requestErasure(
  { database }: DatabasePort,
  platformId: string,
  externalUserId: string,
): Promise<boolean> {
  return database.asPlatform<boolean>(platformId, async (tx) =>
    pipelineCommit([erasureRequest(tx, platformId, externalUserId)], ([rows]) => rows.length > 0),
  );
}

/** Requests the erasure of up to `limit` users without activity for `days`; returns their number. */
export function expireUsers({ database }: DatabasePort, days: number, limit: number): Promise<number> {
  return count(
    database,
    sql`select request_expired_erasures(${`${days} days`}::interval, ${limit})::int as count`,
  );
}

/**
 * Erases up to `limit` users with a requested erasure and no unresolved record; returns their number. Each is in the
 * log of erasures, which is outside the database, before the erasure. The SQL function erase_users defines what is
 * destroyed: the ids and statuses of their records remain until they are swept.
 * @throws Failure SERVICE_UNAVAILABLE, also if the log cannot be written: nobody is erased then.
 */
export async function eraseDueUsers(
  { database, keySet, blobs }: Pick<Ports, "database" | "keySet" | "blobs">,
  limit: number,
): Promise<number> {
  await erasureLog(database, { blobs, key: keySet.erasures }).record(limit);
  return count(database, sql`select erase_users(${limit})::int as count`);
}

/** Deletes up to `limit` users who were erased `days` ago, with their records; returns their number. */
export function sweepUsers({ database }: DatabasePort, days: number, limit: number): Promise<number> {
  return count(database, sql`select sweep_users(${`${days} days`}::interval, ${limit})::int as count`);
}

async function count(database: Ports["database"], query: SQL): Promise<number> {
  const { rows } = await database.withoutPlatform((tx) => tx.execute<{ count: number }>(query));
  return rows[0]?.count ?? 0;
}
