import { errorCode } from "@cardbridge/domain";
import type { Pool } from "pg";
import { isLostStatement } from "./failures.ts";

const probe = { name: "cardbridge_probe", text: "select 1" };

/**
 * Whether prepared statements outlive a transaction, as sentences; empty if they do. A pooler of transactions gives
 * two connections one session of the server, in which a statement of this name then exists already.
 */
export async function findStatementProblems(pool: Pool): Promise<string[]> {
  try {
    await prepareOnNewConnection(pool);
    await prepareOnNewConnection(pool);
    return [];
  } catch (error) {
    if (!isLostStatement(error)) throw error;
    return [
      `The pooler keeps no prepared statements (${errorCode(error)}). Set DATABASE_PREPARED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 or newer.`,
    ];
  }
}

async function prepareOnNewConnection(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(probe);
  } finally {
    client.release(true);
  }
}
