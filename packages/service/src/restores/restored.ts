import { isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { restores } from "../database/schema.ts";
import type { Ports } from "../operation/ports.ts";
import { erasureLog } from "../users/erasure-log.ts";
import { auditedPlatforms } from "./audit.ts";

const run = "Run cardbridge restore check.";

/**
 * Why the service must not start on this database, as sentences; empty if it may.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function reasonsNotToStart({
  database,
  keySet,
  blobs,
}: Pick<Ports, "database" | "keySet" | "blobs">): Promise<string[]> {
  const reasons = [];
  if (await isUnchecked(database)) reasons.push(`The database was restored and is not checked. ${run}`);
  if ((await auditedPlatforms(database)).some(({ continues }) => !continues)) {
    reasons.push(
      `The database was restored into another server, whose transaction numbers are lower than those of the audit. Run the migration. ${run}`,
    );
  }
  const log = erasureLog(database, { blobs, key: keySet.erasures });
  // The file store may be unusable, which hides no other reason.
  if (reasons.length === 0 && (await log.isAhead()))
    reasons.push(`The database was restored to a time before an erasure that the file store knows. ${run}`);
  return reasons;
}

/**
 * Ends the restores that are not checked, and stores a check of a database without one. `listed`: whether the provider
 * listed what the database forgot.
 */
export async function finishRestore(database: Database, listed: boolean): Promise<void> {
  const checked = { checkedAt: sql`clock_timestamp()`, listed };
  await database.withoutPlatform(async (tx) => {
    const ended = await tx
      .update(restores)
      .set(checked)
      .where(isNull(restores.checkedAt))
      .returning({ id: restores.id });
    if (ended.length === 0) {
      await tx.execute(sql`insert into restores (checked_at, listed) values (clock_timestamp(), ${listed})`);
    }
  });
}

/** When a restore of this database was last checked; null if none was. */
export async function lastRestoreCheck(database: Database): Promise<string | null> {
  const rows = await database.withoutPlatform((tx) =>
    tx.select({ at: shownMoment(sql`max(${restores.checkedAt})`) as SQL<string | null> }).from(restores),
  );
  return rows[0]?.at ?? null;
}

/** Whether a restore of this database is not checked. */
async function isUnchecked(database: Database): Promise<boolean> {
  return database.withoutPlatform(async (tx) => {
    const rows = await tx
      .select({ id: restores.id })
      .from(restores)
      .where(isNull(restores.checkedAt))
      .limit(1);
    return rows.length > 0;
  });
}
