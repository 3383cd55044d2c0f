import {
  type CardProvider,
  type KycRecords,
  type Observer,
  type ProviderCapabilities,
  reasonOf,
  type WebhookDeliveries,
  type WebhookSender,
} from "@cardbridge/domain";
import type { BlobStore } from "@cardbridge/files";
import { withTimeout } from "@cardbridge/node";
import {
  countDeliveries,
  countDocumentRequests,
  countDocuments,
  createOperations,
  type Ports,
  pendingAudit,
  readBackups,
  reasonsNotToStart,
} from "@cardbridge/service";
import {
  countProcesses,
  createLookupCache,
  type Database,
  type FailPoint,
  keyProblems,
  providerIds,
  readCurrentPauses,
  registerProcess,
  removeProcess,
  renewProcess,
} from "@cardbridge/service/database";
import { Hono } from "hono";
import type { Gates } from "../admission/gates.ts";
import { watchOutages } from "../admission/outage.ts";
import { createKnownPauses, createProviderSlots } from "../admission/pauses.ts";
import { createRefusals } from "../admission/refusals.ts";
import { createSlots, decoders, providerConnections, renderers } from "../admission/slots.ts";
import type { Env } from "../config/env.ts";
import type { SignedUrls } from "../http/rest/file-urls.ts";
import { type AppOptions, createApp } from "../server/app.ts";
import { checkDependencies, createHealthApp, type Health, healthOf, readiness } from "../server/health.ts";
import type { Fetch } from "../server/http-server.ts";
import type { Log } from "../telemetry/log.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { observeProvider } from "../telemetry/observe-provider.ts";
import type { Tracing } from "../telemetry/open-telemetry.ts";
import { createAdmitPage } from "../trpc/admit-page.ts";
import { createSubscriptions } from "../trpc/subscriptions.ts";
import { createBackgroundWork } from "../worker/background-work.ts";
import { createHeartbeat } from "../worker/heartbeat.ts";
import { createPauseReader } from "../worker/pauses.ts";
import { trackAttempts } from "../worker/tracked-attempts.ts";
import { openAdapters } from "./adapters.ts";
import { databaseReasons, fileReasons, filesVariable } from "./checks.ts";
import type { DatabaseAccess } from "./database.ts";
import { openGates } from "./gates.ts";
import { databaseConnections, encryptionKeys, maxUnsentOf, policiesOf, ratesOf } from "./options.ts";
import { openPools, type Pools } from "./pools.ts";
import { createPorts, type PortParts } from "./ports.ts";
import { capabilitiesOf, connectProvider, eventReaderOf, type ProviderAccess } from "./provider.ts";

/** Test overrides of the service's parts. The fault suite wraps the ports that it breaks. */
export interface TestOverrides {
  kycRecords?(records: KycRecords): KycRecords;
  provider?(provider: CardProvider): CardProvider;
  capabilities?: Partial<ProviderCapabilities>;
  webhookDeliveries?(deliveries: WebhookDeliveries): WebhookDeliveries;
  webhookSender?(sender: WebhookSender): WebhookSender;
  /** Runs at each fail point of every transaction. */
  failPoint?(point: FailPoint): Promise<void>;
  /** The worker's polling interval for due records, in milliseconds. */
  resolveIntervalMs?: number;
}

export interface ServiceOptions extends Pick<AppOptions, "publicUrl" | "site"> {
  env: Env;
  log: Log;
  database: DatabaseAccess;
  provider: ProviderAccess;
  /** The store of encrypted files. */
  blobs: BlobStore;
  /** Without it, nothing is traced. */
  tracing?: Tracing | undefined;
  overrides?: TestOverrides | undefined;
}

export interface Service {
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

/** The age at which an idle connection ends, so that none stays with a server that a failover replaced. */
const connectionMaxAgeSeconds = 1_800;
/** The time limit of each closing step after the grace period, in milliseconds. */
const closingMs = 2_000;

/** Builds the service: its limits, connections, ports, gates, app and background work. Nothing runs before its start. */
export function composeService(options: ServiceOptions): Service {
  const { env, log, blobs, publicUrl, site, tracing, overrides = {} } = options;
  const tracer = tracing?.tracer;
  const environment = env.ENVIRONMENT;
  const observer: Observer = {
    observe(event, labels, seconds) {
      log.observe(event, labels);
      metrics.observe(event, labels, seconds);
    },
  };

  // The limits of calls.
  const rateOf = ratesOf(env, options.database.embedded);
  const refusals = createRefusals(observer, log);
  const connections = databaseConnections(env);
  const limits = { operations: env.REQUESTS_AT_ONCE, uploads: env.FILES_AT_ONCE, connections };
  const outages = { calls: watchOutages(), background: watchOutages() };
  const pauses = createKnownPauses({ onChange: (event, line) => log.warn(event, { ...line }) });
  const slots = createSlots(limits, refusals.of, outages);

  // The connections.
  const pools = openPools(
    {
      url: options.database.serviceUrl,
      maxAgeSeconds: connectionMaxAgeSeconds,
      preparedStatements: env.DATABASE_PREPARED_STATEMENTS,
      onError: (error) => log.warn("database_connection_lost", { reason: reasonOf(error) }),
      at: overrides.failPoint,
      tracer,
    },
    connections,
    slots,
    outages,
  );
  const { unshared } = pools;
  const keys = encryptionKeys(env);
  const cache = createLookupCache({ seconds: env.LOOKUP_CACHE_SECONDS });
  const cardProvider = connectProvider(env, options.provider, {
    observer,
    ids: providerIds(unshared),
    maxConnections: providerConnections,
    traceparent: tracer?.traceparent,
  });
  const adapters = openAdapters(env, {
    decoders: { runInSlot: slots.decoders.run, processes: decoders },
    renderers: { runInSlot: slots.renderers.run, processes: renderers },
  });

  const ports = createServicePorts(
    {
      env,
      keys,
      provider: observeProvider(overrides.provider?.(cardProvider) ?? cardProvider, observer, tracer),
      breakers: () => cardProvider.state().breakers,
      providerSlots: createProviderSlots(slots.provider, pauses, maxUnsentOf(env, rateOf)),
      inspector: adapters.inspector,
      evidenceRenderer: adapters.evidenceRenderer,
      blobs,
      webhookSender: overrides.webhookSender?.(adapters.webhookSender) ?? adapters.webhookSender,
      externalFiles: adapters.externalFiles,
      observer,
      publicUrl,
      cache,
      tracer,
    },
    pools,
    overrides,
  );

  // What runs beside the calls.
  const background = createBackgroundWork({
    env,
    ports: ports.background,
    intervalMs: overrides.resolveIntervalMs,
  });
  const heartbeat = createHeartbeat({
    env,
    processes: {
      register: (process) => registerProcess(unshared, process),
      renew: (process) => renewProcess(unshared, process),
      remove: (id) => removeProcess(unshared, id),
    },
    filesVariable: filesVariable(env.FILES_S3_BUCKET),
    log,
  });
  const pauseReader = createPauseReader({ pauses, read: () => readCurrentPauses(unshared), log });
  // With wrong encryption keys, the process continues: it resolves records, and refuses all other work.
  const dependencies = checkDependencies({
    database: () => databaseReasons(unshared),
    encryptionKeys: () => keyProblems(unshared, keys),
    files: () => fileReasons(blobs.checkRead),
    processes: () => countProcesses(unshared),
  });
  let drained: Promise<unknown> | undefined;
  const health: Health = {
    environment,
    state: async () => (drained ? { reasons: ["draining"], warnings: [] } : healthOf(await dependencies())),
  };

  // The gates, and the app behind them.
  const capabilities = { ...capabilitiesOf(options.provider.kind), ...overrides.capabilities };
  const operations = createOperations(policiesOf(env, publicUrl, { capabilities, readsExternalFiles: true }));
  const opened = openGates({
    env,
    operations,
    database: pools.apiKeys,
    cache,
    ports: ports.calls,
    rateOf,
    allowDemoKeys: options.database.embedded,
    slots,
    refusals,
    pauses,
    observer,
  });
  const { gates, rateLimiter, reauthenticate } = opened;
  const subscriptions = createSubscriptions({
    slots: slots.subscriptions,
    admitPage: createAdmitPage({ rateLimiter, operations: slots.operations }),
  });
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
    environment,
    site,
    log,
    uploads: { maxBytes: env.FILE_MAX_BYTES },
    urls: ports.calls.fileUrls,
    tracer,
  });
  const metrics = createMetrics({
    operations,
    routes: env.RUN === "worker" ? [] : app.routes,
    waiting: ports.background.kycRecords.countWaiting,
    requests: () => countDocumentRequests(ports.background),
    documents: () => countDocuments(ports.background),
    backups: () => readBackups(ports.background),
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
    adapters.inspector.close();
    adapters.evidenceRenderer.close();
    const ended = [background.abort(), ports.releaseLeases(), heartbeat.stop(), pauseReader.stop()];
    await withTimeout(closingMs, Promise.all(ended));
    const connected = [cardProvider, adapters, pools, opened];
    await withTimeout(closingMs, Promise.all(connected.map((one) => one.close())));
    if (tracing) await withTimeout(closingMs, tracing.close());
  }

  return {
    fetch: env.RUN === "worker" ? new Hono().route("/health", createHealthApp(health)).fetch : app.fetch,
    gates,
    metrics: metrics.app.fetch,
    database: unshared,
    reasonsNotToStart: () => reasonsNotToStart(ports.background),
    register: heartbeat.start,
    followPauses: pauseReader.start,
    work: background.start,
    drain,
    close,
  };
}

interface ServicePorts {
  /** The ports of calls. */
  calls: Ports & { fileUrls: SignedUrls };
  /** The ports of the worker, webhooks, and the provider's own requests. */
  background: Ports;
  /** Returns the leases of unfinished attempts. */
  releaseLeases(): Promise<unknown>;
}

/** Creates the service's ports once for each pool, from the same parts. */
function createServicePorts(
  parts: Omit<PortParts, "database" | "webhooksDatabase">,
  pools: Pools,
  overrides: TestOverrides,
): ServicePorts {
  function portsOver(databases: Pick<PortParts, "database" | "webhooksDatabase">) {
    const ports = createPorts({ ...parts, ...databases });
    const tracked = trackAttempts(overrides.kycRecords?.(ports.kycRecords) ?? ports.kycRecords);
    const webhookDeliveries =
      overrides.webhookDeliveries?.(ports.webhookDeliveries) ?? ports.webhookDeliveries;
    return {
      ports: { ...ports, webhookDeliveries, kycRecords: tracked.kycRecords },
      release: tracked.release,
    };
  }

  const calls = portsOver({ database: pools.calls });
  const background = portsOver({ database: pools.records, webhooksDatabase: pools.webhooks });
  return {
    calls: calls.ports,
    background: background.ports,
    releaseLeases: () => Promise.all([calls.release(), background.release()]),
  };
}
