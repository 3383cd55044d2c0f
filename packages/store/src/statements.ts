import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Client, PoolClient } from "pg";

export type Connection = Client | PoolClient;

/** Statements on one connection; inside `asPlatform`, on one platform's rows. */
export type Tx = Pick<NodePgDatabase, "select" | "insert" | "update" | "execute" | "with" | "$with">;

const connections = new WeakMap<Connection, Tx>();

/** The statements of a connection: one object for its whole life, which `perConnection` counts on. */
export function statementsOf(client: Connection): Tx {
  const known = connections.get(client);
  if (known) return known;
  const made = drizzle(client);
  connections.set(client, made);
  return made;
}

/**
 * Keeps what `prepare` makes, statements with `.prepare(name)`, once per connection: neither drizzle nor the
 * server works them out again. A name stands for one statement in the whole package.
 */
export function perConnection<T>(prepare: (tx: Tx) => T): (tx: Tx) => T {
  const kept = new WeakMap<Tx, T>();
  return (tx) => {
    const known = kept.get(tx);
    if (known) return known;
    const made = prepare(tx);
    kept.set(tx, made);
    return made;
  };
}
