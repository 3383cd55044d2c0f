import { sql } from "drizzle-orm";
import type { Ports } from "../operation/ports.ts";

/**
 * Replaces up to `limit` counts of reads by audit entries, a day after their day ended; returns their number. Works
 * across platforms.
 */
export async function writeReadCounts({ database }: Pick<Ports, "database">, limit: number): Promise<number> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ count: number }>(sql`select write_read_counts(${limit})::int as count`),
  );
  return rows[0]?.count ?? 0;
}
