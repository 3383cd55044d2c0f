import type { Tracer } from "@cardbridge/domain";
import type { PoolClient } from "pg";

type Query = (...query: unknown[]) => unknown;

/** Records a span for each statement of a connection, with its name but never its text or values. */
export function traceStatements(client: PoolClient, tracer: Tracer): void {
  const query = client.query.bind(client) as Query;
  const traced: Query = (...input) => {
    const name = nameOf(input[0]);
    // A statement with a callback returns no promise. The `begin` is sent together with the first statement.
    const isPlain = typeof input.at(-1) === "function" || name === "begin";
    if (isPlain || !tracer.isRecording()) return query(...input);
    const start = { name, kind: "client", attributes: { "db.system.name": "postgresql" } } as const;
    return tracer.run(start, () => query(...input) as Promise<unknown>);
  };
  client.query = traced as PoolClient["query"];
}

/** The name of a prepared statement, or the first word of any other statement. */
function nameOf(statement: unknown): string {
  if (typeof statement === "string") return firstWord(statement);
  const { name, text } = statement as { name?: string; text?: string };
  return name ?? firstWord(text ?? "");
}

function firstWord(text: string): string {
  return /^[a-z]+/i.exec(text.trimStart())?.[0].toLowerCase() ?? "statement";
}
