import { drizzle } from "drizzle-orm/node-postgres";
import { type Client, escapeLiteral, type PoolClient } from "pg";
import { UnknownCommit } from "./errors.ts";
import { isAborted, isConnectionLoss, safeDatabaseError } from "./failures.ts";
import { operatorsRole } from "./schema/policies.ts";
import { PipelinedCommit, type Tx, type Work } from "./statements.ts";

export type Connection = Client | PoolClient;

const connections = new WeakMap<Connection, Tx>();

/** The statements of a connection. The object is always the same, because `perConnection` uses it as a key. */
export function statementsOf(client: Connection): Tx {
  const existing = connections.get(client);
  if (existing) return existing;
  const tx = drizzle(client);
  connections.set(client, tx);
  return tx;
}

/** `decided`: the last statements are sent. `committing`: the commit is sent. No reply has been read yet. */
export type FailPoint = "decided" | "committing";

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
 * an error the transaction is still open: the caller rolls it back. Of statements that were sent together, the error is
 * that of the first one that failed.
 */
export async function transaction<T>(
  client: Connection,
  visible: Visible,
  work: Work<T>,
  options: TransactionOptions = {},
): Promise<T> {
  let cause: unknown;
  const keepFirst = (error: unknown) => {
    cause ??= error;
  };
  client.connection.on("errorMessage", keepFirst);
  try {
    return await execute(client, visible, work, options);
  } catch (error) {
    // The failures of the later statements only report that the transaction was aborted, in any order.
    throw isAborted(error) ? (cause ?? error) : error;
  } finally {
    client.connection.off("errorMessage", keepFirst);
  }
}

async function execute<T>(
  client: Connection,
  visible: Visible,
  work: Work<T>,
  { at, traceparent }: TransactionOptions,
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
  if (failed)
    throw isConnectionLoss(failed.reason)
      ? new UnknownCommit(safeDatabaseError(failed.reason))
      : failed.reason;
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
