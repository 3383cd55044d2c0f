import { setTimeout as wait } from "node:timers/promises";
import { Pool, type PoolClient } from "pg";
import { codeOf, isRetryable, isUnavailable, safeDatabaseError, unavailable } from "./failures.ts";
import { type MigrationStatus, migrationStatus } from "./migration-status.ts";
import { findRoleProblems } from "./role.ts";
import { statementsOf, type Tx } from "./statements.ts";
import { type Moment, transaction, UnknownCommit, type Work } from "./transaction.ts";

export interface DatabaseOptions {
  url: string;
  /** 10 when absent. */
  maxConnections?: number | undefined;
  /** Hears why an idle connection broke or `health` found none; the error holds no row values. */
  onError(error: unknown): void;
  /** Waited for within every transaction, at these moments: for those who break the service there to see. */
  at?: ((moment: Moment) => Promise<void>) | undefined;
}

export interface DatabaseHealth extends MigrationStatus {
  reachable: boolean;
  /** Why not, as the system or the server codes it, such as ECONNREFUSED or 28P01. */
  reason?: string;
}

export interface Database {
  /**
   * The one door to a table: runs `work` in a transaction that sees this platform's rows and no others. It
   * may run more than once, so it does nothing outside the database.
   * @throws Failure SERVICE_UNAVAILABLE when the database cannot be used, also when it is unknown whether
   *   the commit arrived; SafeDatabaseError for its other errors; what `work` throws, as it is.
   */
  asPlatform<T>(platformId: string, work: Work<T>): Promise<T>;
  /** For the functions that run before a platform is known. Tables show no rows here. Throws as above. */
  withoutPlatform<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Never throws. */
  health(): Promise<DatabaseHealth>;
  /** The reasons why the connected role must not serve, as sentences; none when it may. */
  checkRole(): Promise<string[]>;
  /** Waits for what is under way, then ends every connection. */
  close(): Promise<void>;
}

const retries = 3;

/** Opens a pool of connections; the first one is made when it is needed. Times are milliseconds. */
export function openDatabase({ url, maxConnections, onError, at }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections ?? 10,
    pipeline: true,
    application_name: "cardbridge",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    // For a server that no longer answers at all; longer than its own timeout.
    query_timeout: 15_000,
  });
  pool.on("error", (error) => onError(safeDatabaseError(error)));
  // A connection that breaks while it is in use fails its statements; unheard, its event ends the process.
  pool.on("connect", (client) => client.on("error", () => {}));

  async function connected<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
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
      client.release(broken);
      throw error;
    }
  }

  async function translated<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const passing = isUnavailable(error) || isRetryable(error) || error instanceof UnknownCommit;
      throw passing ? unavailable(error) : safeDatabaseError(error);
    }
  }

  async function retried<T>(run: () => Promise<T>, left: number): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error;
    }
    await wait(Math.random() * 50);
    return retried(run, left - 1);
  }

  return {
    async asPlatform(platformId, work) {
      if (platformId === "") throw new Error("A platform's id is needed to reach a table.");
      const run = () => connected((client) => transaction(client, platformId, work, at));
      return translated(() => retried(run, retries));
    },
    withoutPlatform: (work) => translated(() => connected((client) => work(statementsOf(client)))),
    async health() {
      try {
        return { reachable: true, ...(await migrationStatus(pool)) };
      } catch (error) {
        onError(safeDatabaseError(error));
        return { reachable: false, reason: codeOf(error) || "timeout", pendingMigrations: [] };
      }
    },
    checkRole: () => translated(() => findRoleProblems(pool)),
    close: () => pool.end(),
  };
}
