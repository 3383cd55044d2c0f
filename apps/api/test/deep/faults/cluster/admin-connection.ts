import { Client } from "pg";

export interface AdminConnection {
  /** Runs queries one at a time, as a superuser on one connection. */
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Connects to a database as a superuser, which sees the rows of every platform. */
export async function connectAsAdmin(url: string): Promise<AdminConnection> {
  const client = new Client({ connectionString: url });
  await client.connect();
  let previous: Promise<unknown> = Promise.resolve();
  return {
    query<T>(text: string, values: unknown[] = []): Promise<T[]> {
      const result = previous.then(() => client.query(text, values));
      previous = result.catch(() => {});
      return result.then(({ rows }) => rows as T[]);
    },
    close: () => client.end(),
  };
}
