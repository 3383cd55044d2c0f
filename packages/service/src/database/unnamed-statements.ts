import type { PoolClient } from "pg";

type Query = (...query: unknown[]) => unknown;

/**
 * Sends the prepared statements of a connection without a name, so that no session of the server has to keep them: a
 * pooler such as PgBouncer before 1.21 runs each transaction in any session.
 */
export function sendWithoutNames(client: PoolClient): void {
  const query = client.query.bind(client) as Query;
  const unnamed: Query = (statement, ...rest) =>
    query(hasName(statement) ? { ...statement, name: undefined } : statement, ...rest);
  client.query = unnamed as PoolClient["query"];
}

function hasName(statement: unknown): statement is { name: string } {
  return typeof statement === "object" && statement !== null && "name" in statement;
}
