import { escapeLiteral } from "pg";
import { isConnectionLoss } from "./failures.ts";
import { type Connection, statementsOf, type Tx } from "./statements.ts";

/** The end of a transaction: statements under way, and what to return once they are committed. */
export class WithCommit<T> {
  readonly statements: Promise<unknown>;
  readonly finish: (results: unknown) => T;

  constructor(statements: Promise<unknown>, finish: (results: unknown) => T) {
    this.statements = statements;
    this.finish = finish;
    // The transaction awaits them; until it does, a failure must not count as unhandled.
    statements.catch(() => {});
  }
}

/** The connection broke when the commit was on its way: whether it arrived has to be found out. */
export class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super("The connection broke during a commit.", { cause });
    this.name = "UnknownCommit";
  }
}

/** What `asPlatform` runs: it returns its result, or its last statements by `withCommit`. */
export type Work<T> = (tx: Tx) => Promise<T | WithCommit<T>>;

/** `decided`: the last statements are on their way. `committing`: the commit is too. Neither is answered yet. */
export type Moment = "decided" | "committing";

/**
 * Return this from the work of `asPlatform` to send the transaction's last statements in one round trip with
 * its commit. `finish` makes the result from theirs, after the commit.
 */
export function withCommit<R extends readonly unknown[], T>(
  statements: { readonly [K in keyof R]: PromiseLike<R[K]> },
  finish: (results: R) => T,
): WithCommit<T> {
  return new WithCommit(Promise.all(statements), (results) => finish(results as R));
}

/**
 * Runs `work` in a transaction that sees one platform's rows. The begin travels with the first statement.
 * After an error the transaction is still open: the caller rolls it back. `at` is waited for at its moments.
 */
export async function transaction<T>(
  client: Connection,
  platformId: string,
  work: Work<T>,
  at?: (moment: Moment) => Promise<void>,
): Promise<T> {
  sendTogether(client);
  const begun = client.query(`begin; set local cardbridge.platform = ${escapeLiteral(platformId)}`);
  begun.catch(() => {});
  const made = await work(statementsOf(client));
  const statements = made instanceof WithCommit ? made.statements : undefined;
  await at?.("decided");
  sendTogether(client);
  const committed = commit(client);
  committed.catch(() => {});
  await at?.("committing");
  const outcomes = await Promise.allSettled([begun, statements, committed]);
  // The first failure is the cause: one that follows only says that the transaction was aborted.
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw isConnectionLoss(failed.reason) ? new UnknownCommit(failed.reason) : failed.reason;
  return made instanceof WithCommit ? made.finish(await made.statements) : made;
}

/** What is said in this turn of the event loop goes out in one piece: each query on its own is a call of the system. */
function sendTogether({ connection: { stream } }: Connection): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The server answers the commit of an aborted transaction with ROLLBACK, and with no error. */
async function commit(client: Connection): Promise<void> {
  const { command } = await client.query("commit");
  if (command !== "COMMIT") throw new Error("The transaction was rolled back instead of committed.");
}
