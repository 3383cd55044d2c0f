import { escapeIdentifier } from "pg";
import { withConnection } from "../src/connect.ts";

/** Reads a platform's rows as a superuser, past every policy. */
export function reader(adminUrl: string) {
  async function rowsOf(table: string, platformId: string): Promise<Record<string, unknown>[]> {
    const text = `select * from ${escapeIdentifier(table)} where platform_id = $1 order by created_at`;
    const sorted = table === "kyc_history" ? text.replace("created_at", "id") : text;
    const { rows } = await withConnection(adminUrl, (client) => client.query(sorted, [platformId]));
    return rows;
  }
  return {
    rowsOf,
    count: async (table: string, platformId: string) => (await rowsOf(table, platformId)).length,
  };
}
