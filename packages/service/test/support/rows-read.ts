import { sql } from "drizzle-orm";
import { withConnection } from "../../src/database/connect.ts";
import type { Database } from "../../src/database.ts";

/**
 * The number of rows of these tables that have been read, by index or sequentially. `database` has a single connection,
 * so its own reads are counted.
 */
export async function rowsRead(
  database: Database,
  adminUrl: string,
  tables: readonly string[],
): Promise<number> {
  await database.withoutPlatform((tx) => tx.execute(sql`select pg_stat_force_next_flush()`));
  return withConnection(adminUrl, async (client) => {
    const { rows } = await client.query<{ read: number }>(
      `select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int as read
       from pg_stat_user_tables where relname = any ($1)`,
      [tables],
    );
    return rows[0]?.read ?? 0;
  });
}
