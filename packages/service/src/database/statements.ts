import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Client, PoolClient } from "pg";

export type Connection = Client | PoolClient;

/** Statements on one connection; inside `asPlatform` they see only one platform's rows. */
export type Tx = Pick<NodePgDatabase, "select" | "insert" | "update" | "execute" | "with" | "$with">;

const connections = new WeakMap<Connection, Tx>();

/** The statements of a connection. The object is always the same, because `perConnection` uses it as a key. */
export function statementsOf(client: Connection): Tx {
  const existing = connections.get(client);
  if (existing) return existing;
  const tx = drizzle(client);
  connections.set(client, tx);
  return tx;
}

/**
 * Runs `prepare` once per connection and caches its statements, so that neither drizzle nor the server prepares them
 * again. The name in `.prepare(name)` must be unique in this package.
 */
export function perConnection<T>(prepare: (tx: Tx) => T): (tx: Tx) => T {
  const prepared = new WeakMap<Tx, T>();
  return (tx) => {
    const existing = prepared.get(tx);
    if (existing) return existing;
    const statements = prepare(tx);
    prepared.set(tx, statements);
    return statements;
  };
}
