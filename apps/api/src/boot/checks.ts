import { type Environment, Failure, reasonOf } from "@cardbridge/domain";
import type { BlobStore } from "@cardbridge/files";
import { ConfigurationError } from "@cardbridge/node";
import {
  claimEnvironment,
  type Database,
  type Durability,
  outdatedDatabase,
  readEnvironment,
} from "@cardbridge/service/database";
import { explainReason } from "../process/reason-texts.ts";
import type { Log } from "../telemetry/log.ts";

/* What a start checks: the database, what it promises, the file store, and that a restored database was checked. */

/** The reasons why the database is not usable; empty if it is. */
export async function databaseReasons(database: Pick<Database, "health">): Promise<string[]> {
  const { reachable, reason = "", pendingMigrations, outdated } = await database.health();
  if (!reachable) return [`The database cannot be reached: ${explainReason(reason)}.`];
  if (outdated) return [outdatedDatabase];
  if (pendingMigrations.length === 0) return [];
  return [`The database lacks migrations: ${pendingMigrations.join(", ")}. Run the migration command.`];
}

/**
 * Checks that the database is reachable, up to date and of this environment (gap G36), and that row-level security
 * applies to the role.
 * @throws ConfigurationError with all reasons.
 */
export async function checkDatabase(database: Database, environment: Environment): Promise<void> {
  const reasons = await databaseReasons(database);
  if (reasons.length === 0) reasons.push(...(await database.checkConnection()));
  if (reasons.length === 0) reasons.push(...(await environmentReasons(database, environment)));
  refuse(reasons);
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `DATABASE_URL: ${reason}`));
}

async function environmentReasons(database: Database, environment: Environment): Promise<string[]> {
  const actual = (await readEnvironment(database)) ?? environment;
  if (actual === environment) return [];
  return [`The database has the environment ${actual}, and ENVIRONMENT is ${environment}.`];
}

/**
 * Stores the environment in a database without one. Only a service that is about to serve calls it: a command of an
 * operator must not decide for ever.
 * @throws ConfigurationError if another service stored the other environment first.
 */
export async function claimDatabase(database: Database, environment: Environment): Promise<void> {
  await claimEnvironment(database, environment);
  refuse(await environmentReasons(database, environment));
}

/** Whether a crash of one machine keeps acknowledged submissions. */
export const isDurable = ({ fsync, synchronousCommit }: Durability): boolean =>
  fsync && synchronousCommit !== "off";

/**
 * Logs what the database's settings promise for an acknowledged submission: in `live` a warning if a crash of one machine
 * can lose it. Only a synchronous standby keeps it when the primary is lost.
 */
export function logDurability(
  durability: Durability,
  environment: Environment,
  log: Pick<Log, "info" | "warn">,
): void {
  const { fsync, synchronousCommit, synchronousStandbys } = durability;
  log[isDurable(durability) || environment === "test" ? "info" : "warn"]("database_durability", {
    fsync: fsync ? "on" : "off",
    synchronousCommit,
    synchronousStandbys: synchronousStandbys || "none",
  });
}

/** The reasons that only a change of the configuration, the bucket or the folder removes. */
const faults = new Set([
  "NoSuchBucket",
  "InvalidBucketName",
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "AuthorizationHeaderMalformed",
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "EROFS",
]);

/** The sentences that say why a check of the file store failed; empty if it succeeds. */
export async function fileReasons(check: () => Promise<void>): Promise<string[]> {
  const reason = await reasonFrom(check);
  return reason === undefined ? [] : [sentenceOf(reason)];
}

interface CheckedFiles {
  /** The identity of the file store, if it could be read. */
  identity: string | undefined;
  /** Why the file store is temporarily unusable. A process without it serves all other calls. */
  reason: string | undefined;
}

/**
 * Identifies the file store at the start, and checks that files can be written and read.
 * @throws ConfigurationError for a fault of the configuration.
 */
export async function checkFiles(
  blobs: Pick<BlobStore, "identity" | "checkWrite" | "checkRead">,
  bucket: string | undefined,
): Promise<CheckedFiles> {
  let identity: string | undefined;
  const reason = await reasonFrom(async () => {
    identity = await blobs.identity();
    await blobs.checkWrite();
    await blobs.checkRead();
  });
  if (reason === undefined || !faults.has(reason)) return { identity, reason };
  throw new ConfigurationError([`${filesVariable(bucket)}: ${sentenceOf(reason)}`]);
}

/** The variable that configures the file store. */
export function filesVariable(bucket: string | undefined): string {
  return bucket === undefined ? "FILES_DIR" : "FILES_S3_BUCKET";
}

/** The reason of a failed check. A full store is temporarily unusable: it can still be read. */
async function reasonFrom(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Failure && error.code === "STORAGE_FULL" ? "full" : reasonOf(error);
  }
}

function sentenceOf(reason: string): string {
  return `The file store cannot be used: ${explainReason(reason)}.`;
}

/**
 * Checks at the start that a restored database was checked (gap G40).
 * @returns the reason if the file store, which knows what the database lost, is unusable
 * @throws ConfigurationError if the database was restored and `restore check` did not end
 */
export async function checkRestore(reasonsNotToStart: () => Promise<string[]>): Promise<string | undefined> {
  try {
    const reasons = await reasonsNotToStart();
    if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `DATABASE_URL: ${reason}`));
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return reasonOf(error);
    throw error;
  }
}
