import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "@cardbridge/domain";
import type { Client } from "pg";

/** The database cannot be migrated now, or by this version; `message` says what to do. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

// An arbitrary constant: nothing else in this database takes this advisory lock.
const migrationLock = 7_203_114;
/** A table is locked for too long, or a transaction that uses several tables waits for this one too. */
const lockedStates = ["55P03", "40P01"];

export interface MigrationTransactionOptions {
  /** Receives a line for each wait. */
  report?: ((line: string) => void) | undefined;
  /** How long to wait for another migration. The default is 5 min. */
  otherMigrationMs?: number;
  /** How long a statement waits for a table, because calls wait behind it. The default is 2 s. */
  tableLock?: string;
  /** The pause before a repetition, in which the calls that waited run. */
  pauseMs?: number;
}

const maxAttempts = 60;

/** The pause between two attempts to take the lock. */
const lockPauseMs = 100;

/**
 * Runs `work` in a transaction, alone among migrations. Where a statement waits too long for a table, or in a deadlock,
 * rolls back, and repeats the work, up to 60 times. The lock ends with the transaction, also behind a pooler of
 * transactions. The transaction may be idle while `work` uses another connection.
 * @throws MigrationRefused if another migration does not end in time.
 */
export async function migrationTransaction<T>(
  client: Client,
  name: string,
  work: () => Promise<T>,
  { report, otherMigrationMs = 300_000, tableLock = "2s", pauseMs = 1_000 }: MigrationTransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // One message: the server's own limit could end a transaction that waits for the second one.
      await client.query(
        "begin isolation level read committed; set local idle_in_transaction_session_timeout = 0",
      );
      await waitForOthers(client, otherMigrationMs, () => report?.(`${name} waits for another migration.`));
      await client.query(`set local lock_timeout = '${tableLock}'`);
      const result = await work();
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => {});
      if (!lockedStates.includes(errorCode(error)) || attempt === maxAttempts) throw error;
      report?.(`${name} waits for a transaction that uses its table (attempt ${attempt} of ${maxAttempts}).`);
      await wait(pauseMs);
    }
  }
}

/**
 * Takes the lock. It does not wait in a statement, and has no parameters, because both keep a snapshot, for which the
 * CREATE INDEX CONCURRENTLY of the other migration would wait.
 */
async function waitForOthers(client: Client, patienceMs: number, onWait: () => void): Promise<void> {
  const end = performance.now() + patienceMs;
  if (await takeLock(client)) return;
  onWait();
  while (!(await takeLock(client))) {
    if (performance.now() > end) throw new MigrationRefused(await describeOther(client));
    await wait(lockPauseMs);
  }
}

async function takeLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${migrationLock}) as taken`,
  );
  return rows[0]?.taken === true;
}

async function describeOther(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
     and database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  const pids = rows.map(({ pid }) => pid).join(", ");
  return `Another migration runs in the server's process ${pids}. Wait until it ends, and start this one again.`;
}
