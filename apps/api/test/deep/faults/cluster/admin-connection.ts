import { Pool } from "pg";

export interface AdminConnection {
  /** Runs queries one at a time, as a superuser on one connection. */
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Connects to a database as a superuser, which sees the rows of every platform. A lost connection is replaced. */
export function connectAsAdmin(url: string): AdminConnection {
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on("error", () => {});
  return {
    async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
      return (await pool.query(text, values)).rows as T[];
    },
    close: () => pool.end(),
  };
}
