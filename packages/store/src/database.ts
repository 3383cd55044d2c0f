import { setTimeout as wait } from "node:timers/promises";
import { type PoolState, reasonOf, type Tracer } from "@cardbridge/domain";
import { Pool, type PoolClient } from "pg";
import { isRetryable, isUnavailable, isWrongServer, safeDatabaseError, unavailable } from "./failures.ts";
import { type MigrationStatus, migrationStatus } from "./migration-status.ts";
import { findRoleProblems } from "./role.ts";
import { statementsOf, type Tx } from "./statements.ts";
import { traceStatements } from "./trace-statements.ts";
import { type FailPoint, transaction, UnknownCommit, type Work } from "./transaction.ts";

export interface DatabaseOptions {
  url: string;
  /** The age after which an idle connection ends, in seconds. Without it, connections live as long as the process. */
  maxAgeSeconds?: number | undefined;
  /** 10 when absent. */
  maxConnections?: number | undefined;
  /** Receives the error of a broken idle connection and of a failed `health` check, without row values. */
  onError(error: unknown): void;
  /** Called and awaited at these points of every transaction, so that fault tests can interrupt the service. */
  at?: ((point: FailPoint) => Promise<void>) | undefined;
  /** Traces the statements. A row that a later attempt continues keeps the trace of its transaction. */
  tracer?: Tracer | undefined;
}

export interface DatabaseHealth extends MigrationStatus {
  reachable: boolean;
  /** The reason: a code of the operating system or of the server, or one such as `connect-timeout`. */
  reason?: string;
}

export interface Database {
  /**
   * The only access to tables: runs `work` in a transaction that sees the rows of this platform only. `work` may run
   * more than once, so it must have no effect outside the database.
   * @throws Failure SERVICE_UNAVAILABLE when the database is unavailable, or when the outcome of the commit is
   *   unknown; SafeDatabaseError for other errors of the database; errors of `work` unchanged.
   */
  asPlatform<T>(platformId: string, work: Work<T>): Promise<T>;
  /** For functions that need no platform: no table rows are visible. Throws as `asPlatform` does. */
  withoutPlatform<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The connections of the pool at this time; `waiting` counts the work that waits for a connection. */
  connections(): PoolState;
  /** Never throws. */
  health(): Promise<DatabaseHealth>;
  /** Why the service must not use the connected role, as sentences; empty when it may. */
  checkRole(): Promise<string[]>;
  /** Waits for running work, then closes every connection. */
  close(): Promise<void>;
}

const retries = 3;

/** Creates a connection pool. It opens the first connection on demand. */
export function openDatabase({
  url,
  maxConnections,
  maxAgeSeconds,
  onError,
  at,
  tracer,
}: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections ?? 10,
    // After a failover, a connection can lead to the wrong server without an error.
    ...(maxAgeSeconds === undefined ? {} : { maxLifetimeSeconds: maxAgeSeconds }),
    pipeline: true,
    application_name: "cardbridge",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    // Ends a query when the server stops responding; longer than the server's own timeout.
    query_timeout: 15_000,
  });
  pool.on("error", (error) => onError(safeDatabaseError(error)));
  // A connection that breaks while in use fails its statements. Without a listener, its error event ends the process.
  pool.on("connect", (client) => {
    client.on("error", () => {});
    if (tracer) traceStatements(client, tracer);
  });

  async function withClient<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => {
      throw unavailable(error);
    });
    try {
      const result = await run(client);
      client.release();
      return result;
    } catch (error) {
      const broken = await client.query("rollback").then(
        () => false,
        () => true,
      );
      client.release(broken || isWrongServer(error));
      throw error;
    }
  }

  async function withSafeErrors<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const isTemporary = isUnavailable(error) || isRetryable(error) || error instanceof UnknownCommit;
      throw isTemporary ? unavailable(error) : safeDatabaseError(error);
    }
  }

  async function withRetries<T>(run: () => Promise<T>, left: number): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
    await wait(Math.random() * 50);
    return withRetries(run, left - 1);
  }

  return {
    async asPlatform(platformId, work) {
      if (platformId === "") throw new Error("A table needs a platform's id.");
      const run = () =>
        withClient((client) =>
          transaction(client, platformId, work, { at, traceparent: tracer?.traceparent() }),
        );
      return withSafeErrors(() => withRetries(run, retries));
    },
    withoutPlatform: (work) => withSafeErrors(() => withClient((client) => work(statementsOf(client)))),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async health() {
      try {
        return { reachable: true, ...(await migrationStatus(pool)) };
      } catch (error) {
        const safe = safeDatabaseError(error);
        onError(safe);
        return { reachable: false, reason: reasonOf(safe), pendingMigrations: [] };
      }
    },
    checkRole: () => withSafeErrors(() => findRoleProblems(pool)),
    close: () => pool.end(),
  };
}
