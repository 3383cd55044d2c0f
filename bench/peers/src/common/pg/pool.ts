import pg from "pg";
import { connections, env } from "../env.js";

/** Connections whose unqualified names are those of one peer's schema. */
export function createPool(schema: string): pg.Pool {
  const options = `-c search_path=${schema}`;
  return new pg.Pool({ connectionString: env.databaseUrl, max: connections.database, options });
}

/** Runs work in a transaction on one connection. */
export async function transaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}
