import { and, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { restoredExecutions, restores } from "../database/schema.ts";

/** Ends the restores that are not checked, and stores a check of a database without one. */
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
export async function isUnchecked(database: Database): Promise<boolean> {
  return database.withoutPlatform(async (tx) => {
    const rows = await tx
      .select({ id: restores.id })
      .from(restores)
      .where(isNull(restores.checkedAt))
      .limit(1);
    return rows.length > 0;
  });
}

/** Whether a restore explains that the database does not know this record or user; see the port. */
export async function isExplained(database: Database, id: string | undefined): Promise<boolean> {
  return database.withoutPlatform(async (tx) => {
    const { reference, userReference } = restoredExecutions;
    const listed = tx
      .select({ found: sql`true` })
      .from(restoredExecutions)
      .where(id === undefined ? sql`false` : or(eq(reference, id), eq(userReference, id)))
      .limit(1);
    const recent = gt(restores.checkedAt, sql`clock_timestamp() - interval '30 days'`);
    const unlisted = tx
      .select({ found: sql`true` })
      .from(restores)
      .where(and(recent, eq(restores.listed, false)))
      .limit(1);
    return (await listed.unionAll(unlisted)).length > 0;
  });
}
