import { randomUUID } from "node:crypto";
import type { Blobs, Observer } from "@cardbridge/domain";
import { createFileInspector } from "@cardbridge/files";
import { createOperations } from "@cardbridge/operations";
import {
  apiKeysRepository,
  type Database,
  openDatabase,
  providerIds,
  rateLimitsRepository,
} from "@cardbridge/store";
import { Hono } from "hono";
import type { Env } from "../config/env.ts";
import { countRefusals } from "../fair-shares/count-refusals.ts";
import { lanes } from "../fair-shares/lanes.ts";
import { createHealthApp, type Health } from "../health/app.ts";
import { renewedState } from "../health/renewed-state.ts";
import { createCallers } from "../load-shedding/callers.ts";
import { countShed } from "../load-shedding/count-shed.ts";
import { createLoadShedding } from "../load-shedding/load-shedding.ts";
import { measuredProvider } from "../metrics/measured-provider.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Log } from "../observability/log.ts";
import { withTimeout } from "../process/with-timeout.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";
import type { Fetch } from "../server/http-server.ts";
import type { Shed } from "../server/shed.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { createApp } from "./app.ts";
import { createBackgroundWork } from "./background-work.ts";
import { capabilitiesOf, connectProvider, eventReaderOf } from "./card-provider.ts";
import { checkDependencies, readiness, reasonsOf } from "./check-dependencies.ts";
import type { DatabaseAccess } from "./database.ts";
import { encryptionKeys } from "./encryption-keys.ts";
import { createShares, decoders, providerConnections } from "./fair-shares.ts";
import { createForeignFiles } from "./foreign-files.ts";
import { createLanePorts } from "./lane-ports.ts";
import { cacheWarnings, createLookupCache } from "./lookup-cache.ts";
import { policiesOf, ratesOf } from "./options.ts";
import type { ProviderAccess } from "./provider.ts";
import { shareDatabase } from "./share-database.ts";
import { traceProvider } from "./trace-provider.ts";
import type { Variants } from "./variants.ts";
import { virusScan } from "./virus-scan.ts";
import { webhookClient, webhookSender } from "./webhook-sender.ts";

export interface Container {
  fetch: Fetch;
  /** Refuses requests by their head, before `fetch`. */
  shed: Shed;
  database: Database;
  /** Serves GET /metrics on a separate listener. */
  metrics(request: Request): Response | Promise<Response>;
  /** Starts the worker, unless this process runs only the API. */
  work(): void;
  /** Reports not ready, ends subscriptions, stops leasing records, and waits for active attempts within the grace period. */
  drain(): Promise<void>;
  /** Drains, releases the leases of unfinished attempts, and closes all connections. */
  close(): Promise<void>;
}

/** The time limit of each closing step after the grace period, in milliseconds. */
const closingMs = 2_000;

/** Waits for a closing step, up to `millis`. Never throws. */
async function closing(step: Promise<unknown>, millis = closingMs): Promise<void> {
  await withTimeout(millis, step).catch(() => {});
}

export interface ContainerOptions {
  env: Env;
  log: Log;
  database: DatabaseAccess;
  provider: ProviderAccess;
  /** Where encrypted files are stored. */
  blobs: Blobs;
  publicUrl: string;
  /** An additional section of the guide to the sandbox, in Markdown. */
  notes: string;
  /** The file of Scalar's script for the docs page. */
  docsScript: URL;
  /** The folder with CHANGELOG.md and docs/guides. */
  docsFolder: URL;
  /** Nothing is traced without it. */
  tracing?: Tracing | undefined;
  variants?: Variants | undefined;
}

/** Constructs the service. */
export function createContainer({
  env,
  log,
  database: databaseAccess,
  provider: providerAccess,
  blobs,
  publicUrl,
  notes,
  docsScript,
  docsFolder,
  tracing,
  variants = {},
}: ContainerOptions): Container {
  const tracer = tracing?.tracer;
  const database = openDatabase({
    url: databaseAccess.serviceUrl,
    maxConnections: env.DATABASE_CONNECTIONS,
    onError: () => log.warn("lost a connection to the database"),
    at: variants.moment,
    tracer,
  });
  const keys = encryptionKeys(env);
  const observer: Observer = {
    observe(event, labels) {
      log.observe(event, labels);
      metrics.observe(event, labels);
    },
  };
  const cache = createLookupCache({ env, database, serviceUrl: databaseAccess.serviceUrl, log, observer });
  const cardProvider = connectProvider(env, providerAccess, {
    ...{ observer, ids: providerIds(database) },
    maxConnections: providerConnections,
    traceparent: tracer?.traceparent,
  });
  const measured = measuredProvider(variants.provider?.(cardProvider) ?? cardProvider, observer);
  const provider = tracer ? traceProvider(measured, tracer) : measured;
  const webhooks = webhookClient(env);
  const guardedSender = webhookSender(webhooks);
  const sender = variants.webhookSender?.(guardedSender) ?? guardedSender;
  const foreignFiles = createForeignFiles(env);
  const shares = createShares(env, countRefusals(observer, log));
  const inspector = createFileInspector({
    scan: virusScan(env),
    share: shares.decoders.run,
    processes: decoders,
  });
  const lanePorts = createLanePorts({
    ...{ database, shares, variants },
    parts: {
      ...{ env, keys, provider, inspector, blobs, observer, publicUrl, cache, tracer, foreignFiles },
      webhookSender: sender,
    },
  });
  const ports = lanePorts.of();
  const workerPorts = lanePorts.of(lanes.worker);
  const policies = policiesOf(env, publicUrl, {
    capabilities: capabilitiesOf(providerAccess.kind),
    readsForeignFiles: ports.foreignFiles !== undefined,
  });
  const operations = createOperations(policies);

  const background = createBackgroundWork({ env, operations, ports: lanePorts, workerPorts, variants });
  let drained: Promise<void> | undefined;
  const subscriptions = createSubscriptions({ places: shares.subscriptions });
  const drain = () => {
    subscriptions.close();
    drained ??= closing(background.stop(), env.SHUTDOWN_GRACE_MS);
    return drained;
  };
  // Wrong keys do not stop the process. It still settles statuses, and refuses everything else.
  const dependencies = renewedState(() => checkDependencies(database, keys));
  const health: Health = {
    reasons: async () => (drained ? ["draining"] : reasonsOf(await dependencies())),
    warnings: () => cacheWarnings(cache),
  };
  const callers = createCallers();
  const rateLimiter = createRateLimiter({
    rateOf: ratesOf(env, databaseAccess.embedded),
    limits: rateLimitsRepository(shareDatabase(database, shares.database, lanes.rateLimits), randomUUID()),
    observer,
  });
  const shed = createLoadShedding({
    ...{ callers, rateLimiter },
    places: shares.operations,
    onShed: countShed(observer, log),
  });
  const app = createApp({
    policies,
    ports,
    providerPorts: lanePorts.of(lanes.provider),
    places: shares.operations,
    bodies: shares.bodies,
    apiKeys: apiKeysRepository(shareDatabase(database, shares.database, lanes.apiKeys), cache),
    allowDemoKeys: databaseAccess.embedded,
    callers,
    rateLimiter,
    subscriptions,
    eventReader: eventReaderOf(providerAccess, providerAccess.eventsSecrets),
    health,
    publicUrl,
    notes,
    docsScript,
    docsFolder,
    log,
    uploads: { places: shares.uploads, maxBytes: env.FILE_MAX_BYTES },
    urls: ports.fileUrls,
    tracer,
  });
  const metrics = createMetrics({
    operations,
    routes: env.RUN === "worker" ? [] : app.routes,
    waiting: workerPorts.kycRecords.countWaiting,
    unsealed: workerPorts.audit.unsealed,
    deliveries: workerPorts.webhookDeliveries.count,
    provider: cardProvider.state,
    databaseConnections: database.connections,
    usage: shares.usage,
    dependencies: async () => readiness(await dependencies()),
    droppedLines: log.dropped,
    droppedSpans: tracing?.dropped,
    cacheActive: cache?.changes.areHeard,
  });
  return {
    fetch: env.RUN === "worker" ? new Hono().route("/health", createHealthApp(health)).fetch : app.fetch,
    shed,
    metrics: metrics.app.fetch,
    database,
    work: background.start,
    drain,
    async close() {
      await drain();
      inspector.close();
      await closing(Promise.all([background.abort(), lanePorts.release()]));
      const closed = [
        cardProvider.close(),
        webhooks.close(),
        foreignFiles.close(),
        cache?.changes.close(),
        database.close(),
      ];
      await closing(Promise.all(closed));
      if (tracing) await closing(tracing.close());
    },
  };
}
