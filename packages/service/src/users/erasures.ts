import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Ports } from "../operation/ports.ts";
import { erasureLog } from "./erasure-log.ts";

/*
 * The worker's passes about users. The functions of database/migrations/0013_users.sql define what is erased and destroyed.
 * Its `may_be_erased` skips users with an unresolved record and those whom a legal hold covers.
 */

/** Requests the erasure of up to `limit` users whose last record is older than `days`. Returns their number. */
export function requestExpiredErasures(
  { database }: Pick<Ports, "database">,
  days: number,
  limit: number,
): Promise<number> {
  return count(
    database,
    sql`select request_expired_erasures(${`${days} days`}::interval, ${limit})::int as count`,
  );
}

/**
 * Erases up to `limit` users whose erasure is requested and whose records are all resolved, after the log of erasures has
 * them. Returns their number.
 * @throws Failure SERVICE_UNAVAILABLE if the log cannot be written.
 */
export async function eraseDueUsers(
  { database, blobs, keySet }: Pick<Ports, "database" | "blobs" | "keySet">,
  limit: number,
): Promise<number> {
  await erasureLog(database, { blobs, key: keySet.erasures }).record(limit);
  return count(database, sql`select erase_users(${limit})::int as count`);
}

/** Deletes what remains of up to `limit` users who were erased more than `days` ago. Returns their number. */
export function sweepUsers(
  { database }: Pick<Ports, "database">,
  days: number,
  limit: number,
): Promise<number> {
  return count(database, sql`select sweep_users(${`${days} days`}::interval, ${limit})::int as count`);
}

async function count(database: Database, query: SQL): Promise<number> {
  const { rows } = await database.withoutPlatform((tx) => tx.execute<{ count: number }>(query));
  return rows[0]?.count ?? 0;
}
