import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { keyProblems } from "@cardbridge/store";
import { type Container, createContainer } from "./container.ts";
import { ConfigurationError, readEnv } from "./env.ts";
import { openBlobs } from "./files/open-blobs.ts";
import { findPort, ListenError, serve, urlOf } from "./http/serve.ts";
import { keysOf } from "./keys.ts";
import { createLog, type Log } from "./log.ts";
import { banner } from "./start/banner.ts";
import { checkDatabase } from "./start/check-database.ts";
import { accessDatabase } from "./start/database.ts";
import { accessProvider } from "./start/provider.ts";
import { say } from "./start/say.ts";
import { scenarioNotes } from "./start/scenarios.ts";
import { seedDatabase, seedSandbox } from "./start/seed.ts";
import { StartError } from "./start/start-error.ts";

interface Address {
  host: string;
  port: number;
}

/** Beside this file's folder, in the sources and in the build alike. */
const samples = fileURLToPath(new URL("../samples/", import.meta.url));

const closers: (() => Promise<void>)[] = [];

async function start(): Promise<void> {
  const env = readEnv();
  const address = { host: env.HOST, port: await findPort({ host: env.HOST, port: env.PORT }) };

  const origin = urlOf(address);
  const log = createLog(env.LOG_LEVEL);
  // It ends the process in any case; Node would print all that the error carries, values of rows among it.
  process.on("uncaughtException", (error) => {
    log.unforeseen(error);
    process.exit(1);
  });
  const keys = keysOf(env);
  const database = await accessDatabase(env, say, lost);
  closers.push(database.stop);
  const publicUrl = env.PUBLIC_URL ?? origin;
  const provider = await accessProvider(env, {
    ...{ say, lost, publicUrl },
    eventsUrl: `${origin}/provider/events`,
  });
  closers.push(provider.stop);
  if (database.embedded && database.ownerUrl) await seedDatabase(database.ownerUrl, keys);
  if (database.embedded && provider.sandbox) await seedSandbox(provider.url);
  const scenarios = provider.sandbox ? await scenarioNotes(provider.url) : "";

  const container = createContainer({
    ...{ env, log, database, provider, publicUrl },
    blobs: await openBlobs(env),
    notes: scenarios,
  });
  closers.push(container.close);
  await checkDatabase(container.database);
  for (const problem of await keyProblems(container.database, keys)) log.warn(problem);
  await serveMetrics(container, { host: env.METRICS_HOST, port: env.METRICS_PORT }, log);
  container.work();
  const server = await serve(container.fetch, address, {
    onRefused: log.refused,
    letIn: container.letIn,
  });
  closers.push(async () => {
    const drained = container.drain();
    // Whoever sends callers here has to notice first that this process is no longer ready.
    await wait(env.SHUTDOWN_DELAY_MS);
    await Promise.all([drained, server.close(env.SHUTDOWN_GRACE_MS)]);
  });
  say(
    banner({
      url: server.url,
      sandbox: provider.sandbox ? provider.url : undefined,
      demo: database.embedded,
      samples,
    }),
  );
}

/** Metrics are worth having, and no reason to be down: a taken port is said and done without. */
async function serveMetrics(container: Container, address: Address, log: Log): Promise<void> {
  try {
    const server = await serve(container.metrics, address);
    closers.push(() => server.close(0));
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    log.warn(`no metrics: ${address.host}:${address.port} cannot be listened on; set METRICS_PORT`);
  }
}

/** Closes what was opened, last first: callers, then the provider, then the database. */
async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}

/** What a person has to mend is said in words; only what nobody foresaw comes with its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen = [ConfigurationError, ListenError, StartError].some((kind) => error instanceof kind);
  return foreseen ? error.message : (error.stack ?? error.message);
}

const started = start();

let stoppingSince: number | undefined;

/** A terminal and npm may each deliver one Ctrl-C: only what comes a second later is a second one. */
async function stop(words: string, code: number): Promise<void> {
  if (stoppingSince !== undefined) {
    if (performance.now() - stoppingSince > 1_000) process.exit(130);
    return;
  }
  stoppingSince = performance.now();
  say(words);
  await started.catch(() => {});
  await closeAll();
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () =>
    stop("\nStopping: requests under way may end first. Press Ctrl-C again to cut them off.", 0),
  );
}

/** What was started for the service and ended by itself takes the service with it: a start mends both. */
function lost(what: string): void {
  stop(`\n${what} ended by itself. Stopping; start again.`, 1);
}

started.catch(async (error: unknown) => {
  await closeAll();
  process.stderr.write(`\n${explain(error)}\n`);
  process.exit(1);
});
