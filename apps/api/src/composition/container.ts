import type { Blobs, Observer, PoolState } from "@cardbridge/domain";
import { createFileInspector } from "@cardbridge/files";
import { createOperations } from "@cardbridge/operations";
import {
  apiKeysRepository,
  createLookupCache,
  type Database,
  openDatabase,
  providerIds,
} from "@cardbridge/store";
import { Hono } from "hono";
import { createAuthenticate } from "../admission/authenticate.ts";
import { createGates, type Gates } from "../admission/gates.ts";
import { createRateLimiter } from "../admission/rate-limiter.ts";
import { createRefusals } from "../admission/refusals.ts";
import { createSlots, decoders, providerConnections } from "../admission/slots.ts";
import type { Env } from "../config/env.ts";
import { createHealthApp, type Health } from "../health/app.ts";
import { renewedState } from "../health/renewed-state.ts";
import type { Log } from "../observability/log.ts";
import { withTimeout } from "../process/with-timeout.ts";
import type { Fetch } from "../server/http-server.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { observeProvider } from "../telemetry/observe-provider.ts";
import type { Tracing } from "../telemetry/open-telemetry.ts";
import { createApp } from "./app.ts";
import { createBackgroundWork } from "./background-work.ts";
import { capabilitiesOf, connectProvider, eventReaderOf } from "./card-provider.ts";
import { checkDependencies, readiness, reasonsOf } from "./check-dependencies.ts";
import type { DatabaseAccess } from "./database.ts";
import { encryptionKeys } from "./encryption-keys.ts";
import { createForeignFiles } from "./foreign-files.ts";
import { databaseConnections, maxUnsentOf, policiesOf, ratesOf } from "./options.ts";
import { createPorts, type PortParts } from "./ports.ts";
import type { ProviderAccess } from "./provider.ts";
import { shareDatabase } from "./share-database.ts";
import { openSharedRate } from "./shared-rate.ts";
import { type TrackedAttempts, trackAttempts } from "./tracked-attempts.ts";
import type { Variants } from "./variants.ts";
import { virusScan } from "./virus-scan.ts";
import { webhookClient, webhookSender } from "./webhook-sender.ts";

export interface Container {
  fetch: Fetch;
  /** The gates that each request passes before `fetch`. */
  gates: Gates;
  database: Database;
  /** Serves GET /metrics on a separate listener. */
  metrics(request: Request): Response | Promise<Response>;
  /** Starts the worker, unless this process runs only the API. */
  work(): void;
  /** Reports not ready, ends subscriptions, stops leasing records, and waits for active attempts within the grace period. */
  drain(): Promise<unknown>;
  /** Drains, releases the leases of unfinished attempts, and closes all connections. */
  close(): Promise<void>;
}

/** The time limit of each closing step after the grace period, in milliseconds. */
const closingMs = 2_000;

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
  const connections = databaseConnections(env);
  const openPool = (maxConnections: number) =>
    openDatabase({
      url: databaseAccess.serviceUrl,
      maxConnections,
      onError: () => log.warn("lost a connection to the database"),
      at: variants.moment,
      tracer,
    });
  const callsDatabase = openPool(connections.calls);
  const database = openPool(connections.background);
  const keys = encryptionKeys(env);
  const observer: Observer = {
    observe(event, labels, seconds) {
      log.observe(event, labels);
      metrics.observe(event, labels, seconds);
    },
  };
  const cache = createLookupCache({ seconds: env.LOOKUP_CACHE_SECONDS });
  const cardProvider = connectProvider(env, providerAccess, {
    ...{ observer, ids: providerIds(database) },
    maxConnections: providerConnections,
    traceparent: tracer?.traceparent,
  });
  const provider = observeProvider(variants.provider?.(cardProvider) ?? cardProvider, observer, tracer);
  const webhooks = webhookClient(env);
  const guardedSender = webhookSender(webhooks);
  const sender = variants.webhookSender?.(guardedSender) ?? guardedSender;
  const foreignFiles = createForeignFiles(env);
  const refusals = createRefusals(observer, log);
  const limits = { operations: env.REQUESTS_AT_ONCE, uploads: env.FILES_AT_ONCE, connections };
  const slots = createSlots(limits, refusals.of);
  const rateOf = ratesOf(env, databaseAccess.embedded);
  const inspector = createFileInspector({
    scan: virusScan(env),
    share: slots.decoders.run,
    processes: decoders,
  });
  const owned: TrackedAttempts[] = [];
  function portsOver(databases: Pick<PortParts, "database" | "webhooksDatabase">) {
    const all = createPorts({
      ...{ env, keys, provider, inspector, blobs, observer, publicUrl, cache, tracer, foreignFiles },
      ...databases,
      providerSlots: { ...slots.provider, maxUnsent: maxUnsentOf(env, rateOf) },
      webhookSender: sender,
    });
    const tracked = trackAttempts(variants.kycRecords?.(all.kycRecords) ?? all.kycRecords);
    owned.push(tracked);
    const webhookDeliveries = variants.webhookDeliveries?.(all.webhookDeliveries) ?? all.webhookDeliveries;
    return { ...all, webhookDeliveries, kycRecords: tracked.kycRecords };
  }
  const ports = portsOver({ database: shareDatabase(callsDatabase, slots.database) });
  // What no platform waits for: the worker, webhooks, and the provider's own requests.
  const backgroundPorts = portsOver({
    database: shareDatabase(database, slots["background-database"], "records"),
    webhooksDatabase: shareDatabase(database, slots["background-database"], "webhooks"),
  });
  const policies = policiesOf(env, publicUrl, {
    capabilities: capabilitiesOf(providerAccess.kind),
    readsForeignFiles: ports.foreignFiles !== undefined,
  });
  const operations = createOperations(policies);

  const background = createBackgroundWork({ env, ports: backgroundPorts, variants });
  let drained: Promise<unknown> | undefined;
  const subscriptions = createSubscriptions({ slots: slots.subscriptions });
  const drain = () => {
    subscriptions.close();
    drained ??= withTimeout(env.SHUTDOWN_GRACE_MS, background.stop());
    return drained;
  };
  // Wrong keys do not stop the process. It still settles statuses, and refuses everything else.
  const dependencies = renewedState(() => checkDependencies(database, keys));
  const health: Health = {
    reasons: async () => (drained ? ["draining"] : reasonsOf(await dependencies())),
  };
  const sharedRate = openSharedRate(env, observer);
  const rateLimiter = createRateLimiter({
    rateOf,
    shared: sharedRate,
  });
  const authenticate = createAuthenticate({
    apiKeys: apiKeysRepository(shareDatabase(callsDatabase, slots.database, "API keys"), cache),
    platforms: ports.platforms,
    keys: ports.keys,
    urls: ports.fileUrls,
    allowDemoKeys: databaseAccess.embedded,
  });
  const gates = createGates({ authenticate, rateLimiter, slots, refusals });
  const app = createApp({
    policies,
    ports,
    providerPorts: backgroundPorts,
    slots,
    rateLimiter,
    subscriptions,
    eventReader: eventReaderOf(providerAccess, providerAccess.eventsSecrets),
    health,
    publicUrl,
    notes,
    docsScript,
    docsFolder,
    log,
    uploads: { maxBytes: env.FILE_MAX_BYTES },
    urls: ports.fileUrls,
    tracer,
  });
  const metrics = createMetrics({
    operations,
    routes: env.RUN === "worker" ? [] : app.routes,
    waiting: backgroundPorts.kycRecords.countWaiting,
    unsealed: backgroundPorts.audit.unsealed,
    deliveries: backgroundPorts.webhookDeliveries.count,
    provider: cardProvider.state,
    databaseConnections: () => sumOf(callsDatabase.connections(), database.connections()),
    usage: (resource) => slots[resource].usage(),
    dependencies: async () => readiness(await dependencies()),
    droppedLines: log.dropped,
    droppedSpans: tracing?.dropped,
  });
  return {
    fetch: env.RUN === "worker" ? new Hono().route("/health", createHealthApp(health)).fetch : app.fetch,
    gates,
    metrics: metrics.app.fetch,
    database,
    work: background.start,
    drain,
    async close() {
      await drain();
      inspector.close();
      await withTimeout(
        closingMs,
        Promise.all([background.abort(), ...owned.map(({ release }) => release())]),
      );
      const closed = [
        cardProvider.close(),
        webhooks.close(),
        foreignFiles.close(),
        sharedRate?.close(),
        callsDatabase.close(),
        database.close(),
      ];
      await withTimeout(closingMs, Promise.all(closed));
      if (tracing) await withTimeout(closingMs, tracing.close());
    },
  };
}

function sumOf(a: PoolState, b: PoolState): PoolState {
  return { inUse: a.inUse + b.inUse, idle: a.idle + b.idle, waiting: a.waiting + b.waiting };
}
