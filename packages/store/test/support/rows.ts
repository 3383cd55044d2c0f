import { escapeIdentifier } from "pg";
import { withConnection } from "../../src/connect.ts";

/** Reads rows as a superuser, which bypasses every policy: the rows of a platform or of a whole table. */
export function reader(adminUrl: string) {
  async function rowsOf(table: string, platformId: string): Promise<Record<string, unknown>[]> {
    const text = `select * from ${escapeIdentifier(table)} where platform_id = $1 order by created_at`;
    const sorted = table === "kyc_history" ? text.replace("created_at", "id") : text;
    const { rows } = await withConnection(adminUrl, (client) => client.query(sorted, [platformId]));
    return rows;
  }
  return {
    rowsOf,
    async all(table: string): Promise<Record<string, unknown>[]> {
      const text = `select * from ${escapeIdentifier(table)} order by 1`;
      return (await withConnection(adminUrl, (client) => client.query(text))).rows;
    },
    count: async (table: string, platformId: string) => (await rowsOf(table, platformId)).length,
  };
}
