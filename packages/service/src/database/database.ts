import { setTimeout as wait } from "node:timers/promises";
import {
  type PersonPlatforms,
  type PoolState,
  platformId as platformIdSchema,
  ReasonError,
  reasonOf,
} from "@cardbridge/domain";
import type { PoolClient } from "pg";
import { isReplaced } from "./current-server.ts";
import { type Durability, readDurability } from "./durability.ts";
import { UnknownCommit, unavailable } from "./errors.ts";
import { isRetryable, isUnavailable, isWrongServer, safeDatabaseError } from "./failures.ts";
import { type MigrationStatus, migrationStatus } from "./migration-status.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import { findStatementProblems } from "./prepared-statements.ts";
import { findRoleProblems } from "./role.ts";
import type { Tx, Work } from "./statements.ts";
import { type FailPoint, statementsOf, transaction, type Visible } from "./transaction.ts";

export interface DatabaseOptions extends PoolOptions {
  /** Receives the error of a broken idle connection and of a failed `health` check, without row values. */
  onError(error: unknown): void;
  /** Called and awaited at these points of every transaction, so that fault tests can interrupt the service. */
  at?: ((point: FailPoint) => Promise<void>) | undefined;
}

export interface DatabaseHealth extends MigrationStatus {
  reachable: boolean;
  /** The reason: a code of the operating system or of the server, or one such as `connect-timeout`. */
  reason?: string;
}

export interface Database {
  /**
   * The access to the tables of a platform: runs `work` in a transaction that sees the rows of this platform only. `work` may run
   * more than once, so it must have no effect outside the database.
   * @throws Failure SERVICE_UNAVAILABLE when the database is unavailable, or when the outcome of the commit is
   *   unknown; SafeDatabaseError for other errors of the database; errors of `work` unchanged.
   */
  asPlatform<T>(platformId: string, work: Work<T>): Promise<T>;
  /**
   * Runs reads in a transaction of the operators' role, which sees the rows of these platforms, no encrypted columns,
   * and cannot write. Throws as `asPlatform` does.
   */
  asOperators<T>(platforms: PersonPlatforms, work: Work<T>): Promise<T>;
  /** For functions that need no platform: no table rows are visible. Throws as `asPlatform` does. */
  withoutPlatform<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The connections of the pool at this time; `waiting` counts the work that waits for a connection. */
  connections(): PoolState;
  /** Never throws. */
  health(): Promise<DatabaseHealth>;
  /** Why the service must not use the connected role, or its pooler, as sentences; empty when it may. */
  checkConnection(): Promise<string[]>;
  /** What the server's settings promise for a commit. */
  durability(): Promise<Durability>;
  /** Waits for running work, then closes every connection. */
  close(): Promise<void>;
}

const retries = 3;

/** Creates a connection pool. It opens the first connection on demand. */
export function openDatabase({ onError, at, ...options }: DatabaseOptions): Database {
  const { tracer } = options;
  const pool = createPool(options);
  pool.on("error", (error) => onError(safeDatabaseError(error)));

  async function connect(): Promise<PoolClient> {
    const client = await pool.connect().catch((error) => {
      throw unavailable(safeDatabaseError(error));
    });
    if (!isReplaced(client)) return client;
    client.release(true);
    return connect();
  }

  async function withClient<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    try {
      const result = await run(client);
      if (isReplaced(client)) throw new UnknownCommit(new ReasonError("server-replaced"));
      client.release();
      return result;
    } catch (error) {
      const broken = await client.query("rollback").then(
        () => false,
        () => true,
      );
      client.release(broken || isWrongServer(error) || error instanceof UnknownCommit);
      throw error;
    }
  }

  async function withSafeErrors<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      const safe = safeDatabaseError(error);
      const isTemporary = isUnavailable(error) || isRetryable(error) || error instanceof UnknownCommit;
      throw isTemporary ? unavailable(safe) : safe;
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

  const seeing = <T>(visible: Visible, work: Work<T>) => {
    const run = () =>
      withClient((client) => transaction(client, visible, work, { at, traceparent: tracer?.traceparent() }));
    return withSafeErrors(() => withRetries(run, retries));
  };

  return {
    async asPlatform(platformId, work) {
      if (platformId === "") throw new Error("A table needs a platform's id.");
      return seeing({ platform: platformId }, work);
    },
    asOperators: (platforms, work) => seeing({ platforms: listed(platforms) }, work),
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
    checkConnection: () =>
      withSafeErrors(async () => [...(await findRoleProblems(pool)), ...(await findStatementProblems(pool))]),
    durability: () => withSafeErrors(() => readDurability(pool)),
    close: () => pool.end(),
  };
}

/** The setting of the policies. A claim of a person may contain any text, which must not become `*` or a list. */
function listed(platforms: PersonPlatforms): string {
  if (platforms === "all") return "*";
  return platforms.filter((id) => platformIdSchema.safeParse(id).success).join(",");
}
