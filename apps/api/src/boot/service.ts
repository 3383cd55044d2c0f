import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { urlOf, version } from "@cardbridge/node";
import { keyProblems } from "@cardbridge/service/database";
import { type Env, readEnv } from "../config/env.ts";
import { openSite } from "../http/docs/site.ts";
import { print } from "../process/print.ts";
import { endProcess, logDestination, standardError } from "../process/standard.ts";
import { onStopSignal } from "../process/stop-signals.ts";
import { headersOf } from "../server/default-headers.ts";
import { ListenError, type Served, serve, takeAddress } from "../server/serve.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { openTracing } from "../telemetry/tracing.ts";
import { checkDatabase, checkFiles, checkRestore, claimDatabase, logDurability } from "./checks.ts";
import { composeService, type Service, type TestOverrides } from "./compose.ts";
import { accessDatabase } from "./database.ts";
import { banner } from "./development/banner.ts";
import { type Development, developmentIssuer, planConsole, startConsole } from "./development/console.ts";
import { buildDocs } from "./development/docs.ts";
import { seedDatabase, seedSandbox } from "./development/seed.ts";
import { explain } from "./errors.ts";
import { folderReasons, openBlobs } from "./files.ts";
import { encryptionKeys } from "./options.ts";
import { accessProvider } from "./provider.ts";

interface ServiceOptions {
  /** The folder with the build's assets. */
  assets: URL;
  overrides?: TestOverrides;
  development?: Development;
}

/** Runs the service until a signal, a closed terminal, or the unexpected exit of a child process. */
export function runService({ assets, overrides, development = {} }: ServiceOptions): void {
  /** Closes the open parts, in the order of opening. */
  const closers: (() => Promise<void>)[] = [];
  const started = start();
  /** Logs the last line, once the service runs. */
  let logStop = (_reason: string) => {};
  let stopping = false;
  onStopSignal((signal, advice) => stop(`\nStopping after active requests.${advice}`, 0, signal));
  started.catch(async (error: unknown) => {
    await closeAll();
    standardError.write(`\n${explain(error)}\n`);
    await endProcess(1);
  });

  async function start(): Promise<void> {
    const env = readEnv(undefined, folderReasons);
    const production = env.NODE_ENV === "production";
    const programs = production ? {} : development;
    const address = await takeAddress({ host: env.HOST, port: env.PORT }, production ? "" : " npm start");
    const origin = urlOf(address);
    const log = createLog(env.LOG_LEVEL, logDestination);
    // Node would print the whole error, which can contain row values.
    process.on("uncaughtException", (error) => {
      log.unexpected(error);
      process.exit(1);
    });
    const keys = encryptionKeys(env);
    const database = await accessDatabase(env, print, onLost);
    closers.push(database.stop);
    const publicUrl = env.PUBLIC_URL ?? origin;
    const provider = await accessProvider(env, {
      print,
      onLost,
      publicUrl,
      onLine: (line) => logDestination.write(`${line}\n`),
      eventsUrl: `${origin}/provider/events`,
    });
    closers.push(provider.stop);
    if (database.embedded && database.ownerUrl) await seedDatabase(database.ownerUrl, keys);
    if (database.embedded && provider.sandbox) await seedSandbox(provider.url);

    const blobs = await openBlobs(env);
    const docsFolder = development.docsFolder ?? fileURLToPath(new URL("./docs/", assets));
    const site = openSite(docsFolder, { publicUrl, demo: database.embedded });
    const plan = await planConsole(programs, database.embedded, print);
    const service = composeService({
      // The configured issuer wins.
      env: plan ? { ...developmentIssuer(plan), ...env } : env,
      log,
      database,
      provider,
      publicUrl,
      overrides,
      tracing: await openTracing(env, log),
      blobs,
      site,
    });
    closers.push(service.close);
    await checkDatabase(service.database, env.ENVIRONMENT);
    const durability = await service.database.durability();
    const { identity: files, reason } = await checkFiles(blobs, env.FILES_S3_BUCKET);
    if (reason !== undefined) log.warn("files_unusable", { reason });
    const unknown = await checkRestore(service.reasonsNotToStart);
    if (unknown !== undefined) log.warn("restore_not_checked", { reason: unknown });
    for (const problem of await keyProblems(service.database, keys))
      log.warn("encryption_keys_unusable", { problem });
    const metrics = await serveMetrics(service, { host: env.METRICS_HOST, port: env.METRICS_PORT }, log);
    if (metrics) closers.push(() => metrics.close(0));
    await claimDatabase(service.database, env.ENVIRONMENT);
    await service.register(files);
    await service.followPauses();
    service.work();
    const server = await serve(service.fetch, address, {
      onRefused: log.refused,
      gates: service.gates,
      headers: headersOf(env.ENVIRONMENT),
    });
    closers.push(async () => {
      const drained = service.drain();
      // First, load balancers must notice that this process is not ready.
      await wait(env.SHUTDOWN_DELAY_MS);
      await Promise.all([drained, server.close(env.SHUTDOWN_GRACE_MS)]);
    });
    const labels = buildLabels(env);
    log.info("service_started", labels);
    if (env.FOUR_EYES === "off") log.warn("four_eyes_off");
    logDurability(durability, env.ENVIRONMENT, log);
    logStop = (reason) => log.info("service_stopped", { ...labels, reason });
    print(
      banner({
        url: server.url,
        environment: env.ENVIRONMENT,
        fourEyes: env.FOUR_EYES === "on",
        run: env.RUN,
        metrics: metrics?.url,
        production,
        console: plan && `http://127.0.0.1:${plan.port}`,
        sandbox: provider.sandbox ? provider.url : undefined,
        demo: database.embedded,
        docs: await site.isBuilt(),
      }),
    );
    const building = await buildDocs(programs.docsProgram, { site, url: server.url, print });
    if (building) closers.push(building.stop);
    if (plan) {
      const onLine = (line: string) => logDestination.write(`${line}\n`);
      closers.push(startConsole(plan, { url: server.url, print, onLine }).stop);
    }
  }

  /** Closes the open parts in reverse order: requests, then the provider, then the database. */
  async function closeAll(): Promise<void> {
    for (const close of closers.splice(0).reverse()) await close().catch(() => {});
  }

  async function stop(message: string, code: number, reason: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    print(message);
    await started.catch(() => {});
    await closeAll();
    logStop(reason);
    await endProcess(code);
  }

  /** Stops the service after the unexpected exit of a child process. A restart repairs both. */
  function onLost(name: string): void {
    stop(`\n${name} exited unexpectedly. Stopping the service. Start it again.`, 1, "child-exited");
  }
}

/** Serves the metrics. If the port is not available, the service logs a warning and runs without metrics. */
async function serveMetrics(
  { metrics }: Service,
  address: { host: string; port: number },
  log: Log,
): Promise<Served | undefined> {
  try {
    return await serve(metrics, address);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    log.warn("metrics_not_served", { ...address, problem: "cannot listen; set METRICS_PORT" });
    return undefined;
  }
}

/** What identifies this process in its first and last log line. */
function buildLabels({
  COMMIT: commit,
  ENVIRONMENT: environment,
  RUN: run,
}: Pick<Env, "COMMIT" | "ENVIRONMENT" | "RUN">): Record<string, string> {
  return { version, ...(commit && { commit }), environment, run };
}
