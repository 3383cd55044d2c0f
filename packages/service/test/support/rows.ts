import { escapeIdentifier } from "pg";
import { withConnection } from "../../src/database/connect.ts";

/** Reads and changes rows as a superuser, which bypasses every policy. */
export function rowsAsAdmin(adminUrl: string) {
  const admin = async (text: string, values: unknown[] = []) =>
    (await withConnection(adminUrl, (client) => client.query(text, values))).rows;

  /** The rows of a platform, the oldest first. */
  function rowsOf(table: string, platformId: string): Promise<Record<string, unknown>[]> {
    const order = table === "kyc_history" ? "id" : "created_at";
    return admin(`select * from ${escapeIdentifier(table)} where platform_id = $1 order by ${order}`, [
      platformId,
    ]);
  }
  return {
    /** Runs a statement and returns its rows. */
    admin,
    rowsOf,
    all: (table: string): Promise<Record<string, unknown>[]> =>
      admin(`select * from ${escapeIdentifier(table)} order by 1`),
    count: async (table: string, platformId: string) => (await rowsOf(table, platformId)).length,
    /** Changes a record as no repository does: `set("kyc_1", "due_at = now()")`. */
    set: (kycRecordId: string, assignment: string) =>
      admin(`update kyc_records set ${assignment} where id = $1`, [kycRecordId]),
  };
}
