import { type ListedBlobs, reasonOf } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";
import { readBackups, reasonsNotToStart } from "@cardbridge/service";
import { countProcesses, type Database, keyProblems, openDatabase } from "@cardbridge/service/database";
import { fetchIssuerKeys, fetchJson } from "../admission/persons/issuer-keys.ts";
import { reasonOfRedis } from "../admission/redis-rate.ts";
import { type Env, readEnv } from "../config/env.ts";
import type { Print } from "../process/print.ts";
import { explainReason } from "../process/reason-texts.ts";
import { checkDatabase, checkFiles, checkRestore, isDurable } from "./checks.ts";
import { folderReasons, hasFiles, lazyBlobs, openBlobs } from "./files.ts";
import { encryptionKeys } from "./options.ts";

/*
 * `cardbridge check` and `main.js --check`: whether a process would work with this environment, and what production lacks.
 * They change nothing: they do not migrate, do not store ENVIRONMENT, and do not count as a process.
 */

/** What a check found about one part. */
interface Finding {
  result: "ok" | "warning" | "error";
  part: string;
  /** A sentence without secrets and addresses. */
  text: string;
}

const providerMs = 5_000;

/**
 * Prints what it finds, part by part. Resolves to whether a process would work. Never rejects for what it checks.
 *
 * @param source the environment; by default, that of this process
 */
export async function check(print: Print, source?: NodeJS.ProcessEnv): Promise<boolean> {
  const counts = { ok: 0, warning: 0, error: 0 };
  for await (const { result, part, text } of findings(source)) {
    counts[result] += 1;
    print(`${result.padEnd(7)}  ${part.padEnd(13)}  ${text}`);
  }
  const end = counts.error > 0 ? "The service would not work" : "The service would work";
  print(`\n${end}: ${count(counts.error, "error")}, ${count(counts.warning, "warning")}.`);
  return counts.error === 0;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;

async function* findings(source: NodeJS.ProcessEnv | undefined): AsyncGenerator<Finding> {
  let env: Env;
  try {
    env = readEnv(source, (read) => (hasFiles(read) ? folderReasons(read) : []));
  } catch (error) {
    yield* errorsOf("configuration", error);
    return;
  }
  const mode = env.NODE_ENV === "production" ? "production" : "development";
  yield ok("configuration", `It is complete, for ${mode} with the environment ${env.ENVIRONMENT}.`);
  yield* lacking(env);
  yield* ofDatabaseAndFiles(env);
  yield* ofProvider(env);
  if (env.RATE_LIMIT_REDIS_URL !== undefined) yield* ofRedis(env.RATE_LIMIT_REDIS_URL);
  if (env.PERSONS_ISSUER !== undefined) yield* ofIssuer(env.PERSONS_ISSUER);
}

/** What a production that serves real people usually has. */
function* lacking(env: Env): Generator<Finding> {
  if (env.NODE_ENV !== "production") yield warning("configuration", "NODE_ENV is not production.");
  if (env.FOUR_EYES === "off")
    yield warning("operators", "FOUR_EYES is off: one person takes back what cannot be undone.");
  if (env.RETENTION_DAYS === undefined)
    yield warning("retention", "RETENTION_DAYS is missing: personal data stays for ever.");
  if (env.CLAMD_URL === undefined)
    yield warning("files", "CLAMD_URL is missing: uploads are not scanned for viruses.");
  if (env.PROVIDER_URL !== undefined && env.PROVIDER_EVENTS_SECRETS.length === 0)
    yield warning("provider", "PROVIDER_EVENTS_SECRETS is missing: the service takes no events, and polls.");
}

async function* ofDatabaseAndFiles(env: Env): AsyncGenerator<Finding> {
  if (env.DATABASE_URL === undefined) {
    yield warning(
      "database",
      "DATABASE_URL is missing: the service uses the embedded PostgreSQL with public demo keys.",
    );
    return;
  }
  const preparedStatements = env.DATABASE_PREPARED_STATEMENTS;
  const database = openDatabase({
    url: env.DATABASE_URL,
    maxConnections: 1,
    preparedStatements,
    onError() {},
  });
  try {
    yield* ofDatabase(database, env);
    yield* ofFiles(database, env);
  } finally {
    await database.close();
  }
}

async function* ofDatabase(database: Database, env: Env): AsyncGenerator<Finding> {
  try {
    await checkDatabase(database, env.ENVIRONMENT);
    yield ok("database", "It can be used, and has all migrations.");
    const problems = await keyProblems(database, encryptionKeys(env));
    for (const problem of problems) yield error("keys", problem);
    if (problems.length === 0) yield ok("keys", "KEY_RING and FINGERPRINT_KEY are those of the database.");
    if (!isDurable(await database.durability()))
      yield warning("database", "A crash loses submissions: set fsync and synchronous_commit to on.");
    const processes = (await countProcesses(database)).filter(({ role }) => role === "api");
    if (processes.reduce((sum, { count }) => sum + count, 0) > 1 && env.RATE_LIMIT_REDIS_URL === undefined)
      yield warning(
        "rates",
        "Several processes serve the API, and each has the rates for itself: set RATE_LIMIT_REDIS_URL.",
      );
    if (env.ENVIRONMENT === "live") yield* ofBackups(database);
  } catch (failure) {
    yield* errorsOf("database", failure);
  }
}

async function* ofBackups(database: Database): AsyncGenerator<Finding> {
  const states = await readBackups({ database });
  const last = (step: string) => states.find((state) => state.step === step)?.last;
  const [made, verified] = [last("made"), last("verified")];
  const managed = "unless your PostgreSQL service makes backups (docs/operate/backup.md)";
  if (!made) yield warning("backups", `No backup is recorded: run cardbridge-backup by a timer, ${managed}.`);
  else if (!verified)
    yield warning(
      "backups",
      "No backup was verified: run cardbridge-backup verify (docs/operate/backup.md).",
    );
  else
    yield ok(
      "backups",
      `The last ${made.kind === "base" ? "base backup" : "dump"} was made ${ago(made.seconds)}, and one was verified ${ago(verified.seconds)}.`,
    );
}

const ago = (seconds: number) => `${count(Math.floor(seconds / 3_600), "hour")} ago`;

/** Creates neither a folder nor its identity: root may run the check, and the service has to own them. */
async function* ofFiles(database: Database, env: Env): AsyncGenerator<Finding> {
  const keySet = encryptionKeys(env);
  try {
    if (!hasFiles(env)) {
      yield ok("files", "The first start creates the folder.");
      await checkRestore(() => reasonsNotToStart({ database, keySet, blobs: noBlobs(env) }));
      return;
    }
    const blobs = await openBlobs(env);
    const { reason } = await checkFiles({ ...blobs, identity: async () => "" }, env.FILES_S3_BUCKET);
    yield reason === undefined
      ? ok("files", "The store can be written and read.")
      : warning(
          "files",
          `The store cannot be used: ${explainReason(reason)}. The service would start without it.`,
        );
    await checkRestore(() => reasonsNotToStart({ database, keySet, blobs }));
  } catch (failure) {
    yield* errorsOf("files", failure);
  }
}

/** A store of files that does not exist yet. */
const noBlobs = (env: Env): ListedBlobs => ({ ...lazyBlobs(env), get: async () => null, async *list() {} });

/** Any answer will do: each provider has other paths. Its credentials are checked by the first call. */
async function* ofProvider({ PROVIDER_URL: url }: Env): AsyncGenerator<Finding> {
  if (url === undefined) {
    yield warning("provider", "PROVIDER_URL is missing: the service starts the sandbox.");
    return;
  }
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(providerMs) });
    yield ok("provider", "PROVIDER_URL answers. The first call checks the credentials.");
  } catch (failure) {
    yield error("provider", `PROVIDER_URL cannot be reached: ${explainReason(reasonOf(failure))}.`);
  }
}

async function* ofRedis(url: string): AsyncGenerator<Finding> {
  const reason = await reasonOfRedis(url);
  yield reason === undefined
    ? ok("rates", "Redis answers.")
    : warning(
        "rates",
        `RATE_LIMIT_REDIS_URL cannot be used: ${explainReason(reason)}. Each process would have the rates for itself.`,
      );
}

async function* ofIssuer(issuer: string): AsyncGenerator<Finding> {
  try {
    await fetchIssuerKeys(issuer, fetchJson);
    yield ok("persons", "PERSONS_ISSUER has keys.");
  } catch (failure) {
    yield error("persons", `PERSONS_ISSUER cannot be used: ${explainReason(reasonOf(failure))}.`);
  }
}

const ok = (part: string, text: string): Finding => ({ result: "ok", part, text });
const warning = (part: string, text: string): Finding => ({ result: "warning", part, text });
const error = (part: string, text: string): Finding => ({ result: "error", part, text });

function errorsOf(part: string, failure: unknown): Finding[] {
  const reasons =
    failure instanceof ConfigurationError ? failure.reasons : [`${explainReason(reasonOf(failure))}.`];
  return reasons.map((text) => error(part, text));
}
