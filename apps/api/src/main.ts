import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { keyProblems } from "@cardbridge/store";
import { createContainer } from "./composition/container.ts";
import { readEnv } from "./config/env.ts";
import { folderReasons } from "./composition/files-folder.ts";
import { openBlobs } from "./composition/open-blobs.ts";
import { findPort, serve, urlOf } from "./server/serve.ts";
import { keysOf } from "./config/encryption-keys.ts";
import { createLog } from "./observability/log.ts";
import { endProcess, logDestination, standardError } from "./process/standard.ts";
import { refuseArguments } from "./process/arguments.ts";
import { banner } from "./development/banner.ts";
import { checkDatabase } from "./composition/check-database.ts";
import { accessDatabase } from "./composition/database.ts";
import { explain } from "./composition/explain.ts";
import { serveMetrics } from "./composition/serve-metrics.ts";
import { accessProvider } from "./composition/provider.ts";
import { say } from "./process/print.ts";
import { scenarioNotes } from "./development/scenarios.ts";
import { seedDatabase, seedSandbox } from "./development/seed.ts";
import { onStopSignal } from "./process/stop-signals.ts";

refuseArguments("main.js", "Runs the cardbridge service. The environment configures it: docs/production.md.");

// The build puts them beside this program.
const docsScript = new URL("./scalar.js", import.meta.url);
const samples = fileURLToPath(new URL("./samples/", import.meta.url));

const closers: (() => Promise<void>)[] = [];

async function start(): Promise<void> {
  const env = readEnv(undefined, folderReasons);
  const production = env.NODE_ENV === "production";
  const port = await findPort({ host: env.HOST, port: env.PORT }, production ? "" : " npm start");
  const address = { host: env.HOST, port };

  const origin = urlOf(address);
  const log = createLog(env.LOG_LEVEL, logDestination);
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
    onLine: (line) => logDestination.write(`${line}\n`),
    eventsUrl: `${origin}/provider/events`,
  });
  closers.push(provider.stop);
  if (database.embedded && database.ownerUrl) await seedDatabase(database.ownerUrl, keys);
  if (database.embedded && provider.sandbox) await seedSandbox(provider.url);
  const scenarios = provider.sandbox ? await scenarioNotes(provider.url) : "";

  const container = createContainer({
    ...{ env, log, database, provider, publicUrl, docsScript },
    blobs: await openBlobs(env),
    notes: scenarios,
  });
  closers.push(container.close);
  await checkDatabase(container.database);
  for (const problem of await keyProblems(container.database, keys)) log.warn(problem);
  const metrics = await serveMetrics(container, { host: env.METRICS_HOST, port: env.METRICS_PORT }, log);
  if (metrics) closers.push(() => metrics.close(0));
  container.work();
  const server = await serve(container.fetch, address, {
    onRefused: log.refused,
    admit: container.admit,
  });
  closers.push(async () => {
    const drained = container.drain();
    // Whoever sends callers here has to notice first that this process is no longer ready.
    await wait(env.SHUTDOWN_DELAY_MS);
    await Promise.all([drained, server.close(env.SHUTDOWN_GRACE_MS)]);
  });
  say(
    banner({
      ...{ url: server.url, run: env.RUN, metrics: metrics?.url, production, samples },
      sandbox: provider.sandbox ? provider.url : undefined,
      demo: database.embedded,
    }),
  );
}

/** Closes what was opened, last first: callers, then the provider, then the database. */
async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}

const started = start();

let stopping = false;

async function stop(sentence: string, code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  say(sentence);
  await started.catch(() => {});
  await closeAll();
  await endProcess(code);
}

onStopSignal((advice) => stop(`\nStopping: requests under way may end first.${advice}`, 0));

/** What was started for the service and ended by itself takes the service with it: a start mends both. */
function lost(what: string): void {
  stop(`\n${what} ended by itself. Stopping; start again.`, 1);
}

started.catch(async (error: unknown) => {
  await closeAll();
  standardError.write(`\n${explain(error)}\n`);
  await endProcess(1);
});
