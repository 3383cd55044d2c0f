import { escapeLiteral } from "pg";
import { isConnectionLoss, safeDatabaseError } from "./failures.ts";
import { operatorsRole } from "./schema/policies.ts";
import { type Connection, statementsOf, type Tx } from "./statements.ts";

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

/** The connection broke during the commit: the transaction may or may not be committed. */
export class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super("The connection broke during a commit.", { cause: safeDatabaseError(cause) });
    this.name = "UnknownCommit";
  }
}

/** The work of `asPlatform`: it returns its result, or its last statements with `pipelineCommit`. */
export type Work<T> = (tx: Tx) => Promise<T | PipelinedCommit<T>>;

/** `decided`: the last statements are sent. `committing`: the commit is sent. No reply has been read yet. */
export type FailPoint = "decided" | "committing";

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

/** What a transaction sees: the rows of one platform, or as the operators' role those of several, `*` for all. */
export type Visible = { platform: string } | { platforms: string };

interface TransactionOptions {
  /** Awaited at each fail point. */
  at?: ((point: FailPoint) => Promise<void>) | undefined;
  /** The trace of the transaction, as a W3C traceparent. New rows store it. */
  traceparent?: string | undefined;
}

/**
 * Runs `work` in a transaction that sees only these rows. The `begin` is sent together with the first statement. After
 * an error the transaction is still open: the caller rolls it back.
 */
export async function transaction<T>(
  client: Connection,
  visible: Visible,
  work: Work<T>,
  { at, traceparent }: TransactionOptions = {},
): Promise<T> {
  sendTogether(client);
  const begun = client.query(beginWith({ ...visible, ...(traceparent && { traceparent }) }));
  begun.catch(() => {});
  const result = await work(statementsOf(client));
  const statements = result instanceof PipelinedCommit ? result.statements : undefined;
  await at?.("decided");
  sendTogether(client);
  const committed = commit(client);
  committed.catch(() => {});
  await at?.("committing");
  const outcomes = await Promise.allSettled([begun, statements, committed]);
  // The first failure is the cause; later failures only report that the transaction was aborted.
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw isConnectionLoss(failed.reason) ? new UnknownCommit(failed.reason) : failed.reason;
  return result instanceof PipelinedCommit ? result.finish(await result.statements) : result;
}

/** Begins a transaction with transaction-local settings, and with the role that several platforms require. */
function beginWith(settings: Record<string, string>): string {
  const begin = "platforms" in settings ? `begin; set local role ${operatorsRole}` : "begin";
  const set = ([name, value]: [string, string]) => `; set local cardbridge.${name} = ${escapeLiteral(value)}`;
  return `${begin}${Object.entries(settings).map(set).join("")}`;
}

/** Sends all queries of this tick of the event loop in one write: each write is a system call. */
function sendTogether({ connection: { stream } }: Connection): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The server replies ROLLBACK to the commit of an aborted transaction, without an error. */
async function commit(client: Connection): Promise<void> {
  const { command } = await client.query("commit");
  if (command !== "COMMIT") throw new Error("The transaction was rolled back instead of committed.");
}
