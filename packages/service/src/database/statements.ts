import type { NodePgDatabase } from "drizzle-orm/node-postgres";

/** Statements on one connection; inside `asPlatform` they see only one platform's rows. */
export type Tx = Pick<NodePgDatabase, "select" | "insert" | "update" | "execute" | "with" | "$with">;

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

/** The work of `asPlatform`: it returns its result, or its last statements with `pipelineCommit`. */
export type Work<T> = (tx: Tx) => Promise<T | PipelinedCommit<T>>;

/** The last statements of a transaction, already sent, and the function that builds its result after the commit. */
export class PipelinedCommit<T> {
  readonly statements: Promise<unknown>;
  readonly finish: (results: unknown) => T;

  constructor(statements: Promise<unknown>, finish: (results: unknown) => T) {
    this.statements = statements;
    this.finish = finish;
    // The transaction awaits them later; until then, a failure must not count as unhandled.
    statements.catch(() => {});
  }
}

/**
 * Sends the last statements of a transaction in one round trip with its commit. Return its value from the work of
 * `asPlatform`. After the commit, `finish` builds the result from the results of the statements.
 */
export function pipelineCommit<R extends readonly unknown[], T>(
  statements: { readonly [K in keyof R]: PromiseLike<R[K]> },
  finish: (results: R) => T,
): PipelinedCommit<T> {
  return new PipelinedCommit(Promise.all(statements), (results) => finish(results as R));
}
