import type pg from "pg";
import { hashOf } from "../seal.js";
import type { Caller } from "../submit.js";

const byHash = {
  name: "caller",
  text: `select platform_id as "platformId", scopes from api_keys where hash = $1 and revoked_at is null`,
};

/** Whose key it is, asked each time: a revoked one is refused at once. */
export async function callerOf(pool: pg.Pool, key: string): Promise<Caller | undefined> {
  const { rows } = await pool.query<Caller>({ ...byHash, values: [hashOf(key)] });
  return rows[0];
}
