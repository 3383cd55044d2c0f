import type { Observer } from "@cardbridge/domain";
import { countDeliveries, createOperations, pendingAudit, reasonsNotToStart } from "@cardbridge/service";
import type { Database } from "@cardbridge/service/database";
import { Hono } from "hono";
import { createAdmitPage } from "../admission/admit-page.ts";
import type { Gates } from "../admission/gates.ts";
import { withTimeout } from "../process/with-timeout.ts";
import type { Fetch } from "../server/http-server.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { createSubscriptions } from "../trpc/subscriptions.ts";
import { createBackgroundWork } from "../worker/background-work.ts";
import { type AppOptions, createApp } from "./app.ts";
import { openGates } from "./gates.ts";
import { checkDependencies, createHealthApp, type Health, healthOf, readiness } from "./health.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { policiesOf } from "./options.ts";
import { createPauseReader } from "./pauses.ts";
import { personSettings } from "./persons.ts";
import { capabilitiesOf, eventReaderOf } from "./provider.ts";
import { openResources, type ResourceOptions } from "./resources.ts";

export interface Container {
  fetch: Fetch;
  /** The gates that each request passes before `fetch`. */
  gates: Gates;
  database: Database;
  /** Why the service must not start on a restored database, as sentences; empty if it may. */
  reasonsNotToStart(): Promise<string[]>;
  /** Serves GET /metrics on a separate listener. */
  metrics(request: Request): Response | Promise<Response>;
  /** Stores this process with the identity of its file store; see `Heartbeat.start`. */
  register(files: string | undefined): Promise<void>;
  /** Reads the operators' pauses, and follows them. Nothing may be served or sent before. Throws the database's errors. */
  followPauses(): Promise<void>;
  /** Starts the worker, unless this process runs only the API. */
  work(): void;
  /**
   * Makes readiness fail, ends subscriptions, stops leasing records, and waits for active attempts within the grace
   * period.
   */
  drain(): Promise<unknown>;
  /** Drains, releases the leases of unfinished attempts, removes this process, and closes all connections. */
  close(): Promise<void>;
}

/** The time limit of each closing step after the grace period, in milliseconds. */
const closingMs = 2_000;

type Published = Pick<AppOptions, "publicUrl" | "site">;

export interface ContainerOptions extends ResourceOptions, Published {}

/** Constructs the service: its limits, connections, ports, background work and app. */
export function createContainer(options: ContainerOptions): Container {
  const { env, log, blobs, publicUrl, tracing, overrides = {} } = options;
  const tracer = tracing?.tracer;
  const observer: Observer = {
    observe(event, labels, seconds) {
      log.observe(event, labels);
      metrics.observe(event, labels, seconds);
    },
  };

  const resources = openResources(options, observer);
  const {
    rateOf,
    refusals,
    pauses,
    slots,
    pools,
    keys,
    cache,
    cardProvider,
    inspector,
    evidenceRenderer,
    ports,
  } = resources;
  const background = createBackgroundWork({
    env,
    ports: ports.background,
    intervalMs: overrides.resolveIntervalMs,
  });

  const heartbeat = createHeartbeat({ env, database: pools.unshared, log });
  const pauseReader = createPauseReader({ pauses, database: pools.unshared, log });

  // With wrong encryption keys, the process continues: it resolves records, and refuses all other work.
  const dependencies = checkDependencies(pools.unshared, keys, blobs);
  let drained: Promise<unknown> | undefined;
  const health: Health = {
    environment: env.ENVIRONMENT,
    state: async () => (drained ? { reasons: ["draining"], warnings: [] } : healthOf(await dependencies())),
  };

  // The gates, and the app behind them.
  const {
    gates,
    rateLimiter,
    reauthenticate,
    close: closeGates,
  } = openGates({
    database: pools.apiKeys,
    cache,
    ports: ports.calls,
    rateOf,
    redisUrl: env.RATE_LIMIT_REDIS_URL,
    allowDemoKeys: options.database.embedded,
    environment: env.ENVIRONMENT,
    persons: personSettings(env),
    keys,
    slots,
    refusals,
    pauses,
    observer,
  });
  const subscriptions = createSubscriptions({
    slots: slots.subscriptions,
    admitPage: createAdmitPage({ rateLimiter, operations: slots.operations }),
  });
  const policies = policiesOf(env, publicUrl, {
    capabilities: capabilitiesOf(options.provider.kind),
    readsExternalFiles: true,
  });
  const operations = createOperations(policies);
  const app = createApp({
    operations,
    ports: ports.calls,
    providerPorts: ports.background,
    slots,
    pauses,
    rateLimiter,
    subscriptions,
    reauthenticate,
    eventReader: eventReaderOf(options.provider, options.provider.eventsSecrets),
    health,
    publicUrl,
    environment: env.ENVIRONMENT,
    site: options.site,
    log,
    uploads: { maxBytes: env.FILE_MAX_BYTES },
    urls: ports.calls.fileUrls,
    tracer,
  });
  const metrics = createMetrics({
    operations,
    routes: env.RUN === "worker" ? [] : app.routes,
    waiting: ports.background.kycRecords.countWaiting,
    pending: () => pendingAudit(ports.background),
    deliveries: () => countDeliveries(ports.background),
    provider: cardProvider.state,
    databaseConnections: pools.state,
    usage: (resource) => slots[resource].usage(),
    paused: pauses.counts,
    dependencies: async () => readiness(await dependencies()),
    droppedLines: log.dropped,
    droppedSpans: tracing?.dropped,
  });

  function drain(): Promise<unknown> {
    subscriptions.close();
    drained ??= withTimeout(env.SHUTDOWN_GRACE_MS, background.stop());
    return drained;
  }

  async function close(): Promise<void> {
    await drain();
    inspector.close();
    evidenceRenderer.close();
    const ended = [background.abort(), ports.releaseLeases(), heartbeat.stop(), pauseReader.stop()];
    await withTimeout(closingMs, Promise.all(ended));
    const connected = [...resources.connections, { close: closeGates }];
    await withTimeout(closingMs, Promise.all(connected.map((one) => one.close())));
    if (tracing) await withTimeout(closingMs, tracing.close());
  }

  return {
    fetch: env.RUN === "worker" ? new Hono().route("/health", createHealthApp(health)).fetch : app.fetch,
    gates,
    metrics: metrics.app.fetch,
    database: pools.unshared,
    reasonsNotToStart: () => reasonsNotToStart(ports.background),
    register: heartbeat.start,
    followPauses: pauseReader.start,
    work: background.start,
    drain,
    close,
  };
}
