import { randomUUID } from "node:crypto";
import type {
  Blobs,
  CardProvider,
  KycRecords,
  Observer,
  ProviderShares,
  WebhookDeliveries,
  WebhookSender,
} from "@cardbridge/domain";
import { createFileInspector } from "@cardbridge/files";
import { createOperations } from "@cardbridge/operations";
import {
  apiKeysRepository,
  type Database,
  type Moment,
  openDatabase,
  providerIds,
  rateLimitsRepository,
} from "@cardbridge/store";
import { Hono } from "hono";
import type { Env } from "../config/env.ts";
import { countRefusals } from "../fair-shares/count-refusals.ts";
import type { FairShares } from "../fair-shares/fair-shares.ts";
import { lanes } from "../fair-shares/lanes.ts";
import { createHealthApp, type Health } from "../health/app.ts";
import { renewedState } from "../health/renewed-state.ts";
import { measuredProvider } from "../metrics/measured-provider.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { Log } from "../observability/log.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";
import type { Fetch } from "../server/http-server.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { deliverWebhooks } from "../webhook-deliveries/deliver-webhooks.ts";
import type { Deliveries } from "../webhook-deliveries/deliveries.ts";
import { startWorker, type Worker } from "../worker/worker.ts";
import { createApp } from "./app.ts";
import { capabilitiesOf, connectProvider, eventReaderOf } from "./card-provider.ts";
import { checkDependencies, readiness, reasonsOf } from "./check-dependencies.ts";
import type { DatabaseAccess } from "./database.ts";
import { encryptionKeys } from "./encryption-keys.ts";
import { createShares, decoders, providerConnections } from "./fair-shares.ts";
import { createForeignFiles } from "./foreign-files.ts";
import { cacheWarnings, createLookupCache } from "./lookup-cache.ts";
import { policiesOf, ratesOf } from "./options.ts";
import { createPorts } from "./ports.ts";
import type { ProviderAccess } from "./provider.ts";
import { shareDatabase } from "./share-database.ts";
import { traceProvider } from "./trace-provider.ts";
import { type TrackedAttempts, trackAttempts } from "./tracked-attempts.ts";
import { virusScan } from "./virus-scan.ts";
import { webhookClient, webhookSender } from "./webhook-sender.ts";
import { withTimeout } from "./with-timeout.ts";

export interface Container {
  fetch: Fetch;
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

/** Test variants of the service's parts. The fault suite wraps the ports that it breaks. */
export interface Variants {
  kycRecords?(records: KycRecords): KycRecords;
  provider?(provider: CardProvider): CardProvider;
  webhookDeliveries?(deliveries: WebhookDeliveries): WebhookDeliveries;
  webhookSender?(sender: WebhookSender): WebhookSender;
  /** Runs at each moment of every transaction. */
  moment?(moment: Moment): Promise<void>;
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
  const owned: TrackedAttempts[] = [];
  /** The ports of calls for platforms, each in its own lane, or of the calls of one lane. */
  const portsOf = (lane?: string) => {
    const shared = shareDatabase(database, shares.database, lane);
    const providerShares = inLane(shares.provider, lane);
    const all = createPorts({
      ...{ env, database: shared, keys, provider, providerShares, inspector, blobs, observer, publicUrl },
      ...{ cache, tracer, webhookSender: sender, foreignFiles },
    });
    const tracked = trackAttempts(variants.kycRecords?.(all.kycRecords) ?? all.kycRecords);
    owned.push(tracked);
    const webhookDeliveries = variants.webhookDeliveries?.(all.webhookDeliveries) ?? all.webhookDeliveries;
    return { ...all, webhookDeliveries, kycRecords: tracked.kycRecords };
  };
  const ports = portsOf();
  const workerPorts = portsOf(lanes.worker);
  const policies = policiesOf(env, publicUrl, {
    capabilities: capabilitiesOf(providerAccess.kind),
    readsForeignFiles: ports.foreignFiles !== undefined,
  });
  const operations = createOperations(policies);

  let worker: Worker | undefined;
  let deliveries: Deliveries | undefined;
  let drained: Promise<void> | undefined;
  const subscriptions = createSubscriptions({ places: shares.subscriptions });
  const drain = () => {
    subscriptions.close();
    drained ??= withTimeout(env.SHUTDOWN_GRACE_MS, Promise.all([worker?.stop(), deliveries?.stop()]));
    return drained;
  };
  // Wrong keys do not stop the process. It still settles statuses, and refuses everything else.
  const dependencies = renewedState(() => checkDependencies(database, keys));
  const health: Health = {
    reasons: async () => (drained ? ["draining"] : reasonsOf(await dependencies())),
    warnings: () => cacheWarnings(cache),
  };
  const app = createApp({
    policies,
    ports,
    providerPorts: portsOf(lanes.provider),
    places: shares.operations,
    bodies: shares.bodies,
    apiKeys: apiKeysRepository(shareDatabase(database, shares.database, lanes.apiKeys), cache),
    allowDemoKeys: databaseAccess.embedded,
    rateLimiter: createRateLimiter({
      rateOf: ratesOf(env, databaseAccess.embedded),
      limits: rateLimitsRepository(shareDatabase(database, shares.database, lanes.rateLimits), randomUUID()),
      observer,
    }),
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
    metrics: metrics.app.fetch,
    database,
    work() {
      if (env.RUN === "api") return;
      const operations = createOperations(policies);
      deliveries = deliverWebhooks(operations, {
        prompt: portsOf(lanes.promptWebhooks),
        slow: portsOf(lanes.slowWebhooks),
      });
      worker = startWorker({
        operations,
        ports: workerPorts,
        retentionDays: env.RETENTION_DAYS,
        perSecond: env.SETTLE_PER_SECOND,
      });
    },
    drain,
    async close() {
      await drain();
      inspector.close();
      await withTimeout(
        closingMs,
        Promise.all([deliveries?.abort(), ...owned.map(({ release }) => release())]),
      );
      const closed = [
        cardProvider.close(),
        webhooks.close(),
        foreignFiles.close(),
        cache?.changes.close(),
        database.close(),
      ];
      await withTimeout(closingMs, Promise.all(closed));
      if (tracing) await withTimeout(closingMs, tracing.close());
    },
  };
}

/** The shares of the provider, in one lane for all platforms if `lane` names one. */
function inLane(places: FairShares, lane: string | undefined): ProviderShares {
  return lane === undefined ? places : { run: (_platformId, work) => places.run(lane, work) };
}
