import { defaultPolicies, hongKongPolicies, type Observer, type Policies } from "@cardbridge/domain";
import { createCardProvider, createEventReader } from "@cardbridge/provider";
import {
  apiKeysRepository,
  type Database,
  kycRecordsRepository,
  openDatabase,
  usersRepository,
} from "@cardbridge/store";
import { Hono } from "hono";
import { createApp } from "./app.ts";
import { developmentFingerprintKey, type Env } from "./env.ts";
import { createHealthApp, type Health } from "./http/health.ts";
import { ids } from "./ids.ts";
import { createRateLimiter, type RateOf } from "./limits/rate-limiter.ts";
import { configuredRates } from "./limits/rates.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import type { Ports } from "./operations/index.ts";
import { createEventsApp } from "./provider-events/app.ts";
import { databaseReasons } from "./start/check-database.ts";
import type { DatabaseAccess } from "./start/database.ts";
import { demoPlatforms } from "./start/demo-data.ts";
import type { ProviderAccess } from "./start/provider.ts";
import { startWorker, type Worker } from "./worker/worker.ts";

export interface Container {
  fetch(request: Request): Response | Promise<Response>;
  database: Database;
  /** Answers GET /metrics, on a listener of its own. */
  metrics(request: Request): Response | Promise<Response>;
  /** Starts the worker, unless this process is an api alone. */
  work(): void;
  /** From now on the service calls itself not ready. */
  drain(): void;
  close(): Promise<void>;
}

/** What an attempt needs beside the provider's time: two short transactions, and some patience. */
const leaseMarginMs = 15_000;

interface Parts {
  env: Env;
  log: Log;
  database: DatabaseAccess;
  provider: ProviderAccess;
  publicUrl: string;
  /** What the docs say beyond the interface, in Markdown. */
  notes: string;
}

/** Constructs the service: the only place where its parts meet. */
export function createContainer({
  env,
  log,
  database: access,
  provider: providerAccess,
  publicUrl,
  notes,
}: Parts): Container {
  let draining = false;
  const database = openDatabase({
    url: access.serviceUrl,
    maxConnections: env.DATABASE_CONNECTIONS,
    onError: () => log.warn("the database, or a connection to it, is lost"),
  });
  const kycRecords = kycRecordsRepository(database, {
    fingerprintKey: env.FINGERPRINT_KEY ?? developmentFingerprintKey,
    leaseSeconds: (env.PROVIDER_KYC_TIMEOUT_MS + leaseMarginMs) / 1_000,
    holdAfterSeconds: env.HOLD_AFTER_SECONDS,
  });
  const metrics = createMetrics(() => kycRecords.countWaiting());
  const observer: Observer = {
    observe(what, labels) {
      log.observe(what, labels);
      metrics.observe(what, labels);
    },
  };
  const provider = createCardProvider({
    baseUrl: providerAccess.url,
    clientId: providerAccess.clientId,
    clientSecret: providerAccess.clientSecret,
    deadlines: { kycMs: env.PROVIDER_KYC_TIMEOUT_MS, readMs: env.PROVIDER_READ_TIMEOUT_MS },
    observer,
  });
  const ports: Ports = { users: usersRepository(database), kycRecords, provider, observer, ids };
  const secrets = providerAccess.eventsSecrets;
  const events =
    secrets.length > 0
      ? createEventsApp({ reader: createEventReader({ secrets }), kycRecords, observer })
      : undefined;
  let worker: Worker | undefined;
  const health: Health = {
    reasons: async () => [...(draining ? ["draining"] : []), ...(await databaseReasons(database))],
  };
  const app = createApp({
    policies: policiesOf(env),
    ports,
    apiKeys: apiKeysRepository(database),
    allowDemoKeys: access.embedded,
    rateLimiter: createRateLimiter(ratesOf(env, access.embedded)),
    events,
    health,
    publicUrl,
    notes,
    log,
  });
  return {
    fetch: env.RUN === "worker" ? new Hono().route("/health", createHealthApp(health)).fetch : app.fetch,
    metrics: metrics.app.fetch,
    database,
    work() {
      if (env.RUN !== "api") worker = startWorker({ ports });
    },
    drain() {
      draining = true;
    },
    async close() {
      await worker?.stop();
      await provider.close();
      await database.close();
    },
  };
}

function ratesOf(env: Env, embedded: boolean): RateOf {
  const given = { query: env.RATE_LIMIT_READS, mutation: env.RATE_LIMIT_SUBMISSIONS };
  const demo = new Set(demoPlatforms.map(({ id }) => id));
  return configuredRates(given, (platformId) => embedded && demo.has(platformId));
}

function policiesOf(env: Env): Policies {
  return {
    ...defaultPolicies,
    hongKong: hongKongPolicies[env.POLICY_HONG_KONG],
    documentExpiry: env.POLICY_DOCUMENT_EXPIRY,
    fileOrigins: env.POLICY_FILE_ORIGINS,
  };
}
