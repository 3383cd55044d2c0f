import type { Blobs, Observer } from "@cardbridge/domain";
import { createFileInspector } from "@cardbridge/files";
import { createCardProvider, createEventReader } from "@cardbridge/provider";
import {
  apiKeysRepository,
  auditRepository,
  type Database,
  erasures,
  filesRepository,
  keyAdmin,
  keyProblems,
  kycRecordsRepository,
  openDatabase,
  platformsRepository,
  userAdmin,
  usersRepository,
} from "@cardbridge/store";
import { Hono } from "hono";
import { createApp } from "./app.ts";
import { atMost } from "./with-timeout.ts";
import { mintKey } from "../api-keys/api-key.ts";
import type { Env } from "../config/env.ts";
import { failPointsAround } from "../fail-points/around.ts";
import { createFailPoint } from "../fail-points/fail-point.ts";
import { createFileUrls } from "../file-downloads/file-urls.ts";
import { scanOf } from "./virus-scan.ts";
import { createUploadGate } from "../middleware/upload-queue.ts";
import { createHealthApp, type Health } from "../health/app.ts";
import type { Fetch } from "../server/http-server.ts";
import { ids } from "./ids.ts";
import { keysOf } from "../config/encryption-keys.ts";
import { type Admit, limitConcurrency } from "../server/load-shedding.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";
import type { Log } from "../observability/log.ts";
import { createMetrics } from "../observability/metrics.ts";
import type { Ports } from "./operations/index.ts";
import { kycRecordsOptions, policiesOf, providerOptions, ratesOf } from "../config/options.ts";
import { createEventsApp } from "../provider-events/app.ts";
import { databaseReasons } from "./check-database.ts";
import type { DatabaseAccess } from "./database.ts";
import type { ProviderAccess } from "./provider.ts";
import { ownedAttempts } from "./owned-attempts.ts";
import { startWorker, type Worker } from "../worker/worker.ts";

export interface Container {
  fetch: Fetch;
  /** Bounds how many requests are under way at once. */
  admit: Admit;
  database: Database;
  /** Answers GET /metrics, on a listener of its own. */
  metrics(request: Request): Response | Promise<Response>;
  /** Starts the worker, unless this process is an api alone. */
  work(): void;
  /** Not ready from now on, and takes no due record; waits for those under way while the grace lasts. */
  drain(): Promise<void>;
  /** Drains, gives back the attempts that did not end, and closes. */
  close(): Promise<void>;
}

/** How long what remains may take to close, in milliseconds, once the grace is over. */
const closingMs = 2_000;

interface Parts {
  env: Env;
  log: Log;
  database: DatabaseAccess;
  provider: ProviderAccess;
  /** Where sealed files are kept. */
  blobs: Blobs;
  publicUrl: string;
  /** What the docs say beyond the interface, in Markdown. */
  notes: string;
  /** The file of the docs page's script. */
  docsScript: URL;
}

/** Constructs the service: the only place where its parts meet. */
export function createContainer({
  env,
  log,
  database: access,
  provider: providerAccess,
  blobs,
  publicUrl,
  notes,
  docsScript,
}: Parts): Container {
  const failPoints = env.FAILPOINT && failPointsAround(createFailPoint(env.FAILPOINT, log.warn));
  const database = openDatabase({
    url: access.serviceUrl,
    maxConnections: env.DATABASE_CONNECTIONS,
    onError: () => log.warn("the database, or a connection to it, is lost"),
    at: failPoints?.moment,
  });
  const keys = keysOf(env);
  const audit = auditRepository(database, keys);
  const records = kycRecordsRepository(database, kycRecordsOptions(env));
  const owned = ownedAttempts(failPoints?.port(records) ?? records);
  const { kycRecords } = owned;
  const metrics = createMetrics({
    waiting: kycRecords.countWaiting,
    unsealed: audit.unsealed,
    droppedLines: log.dropped,
  });
  const observer: Observer = {
    observe(what, labels) {
      log.observe(what, labels);
      metrics.observe(what, labels);
    },
  };
  const cardProvider = createCardProvider({ ...providerOptions(env, providerAccess), observer });
  const provider = failPoints?.port(cardProvider) ?? cardProvider;
  const users = usersRepository(database, keys, env.LOOKUP_CACHE_SECONDS);
  const desks = {
    platforms: platformsRepository(database),
    keys: keyAdmin(database),
    mintKey,
    userAdmin: userAdmin(database, keys),
    erasures: erasures(database),
  };
  const urls = createFileUrls(publicUrl, keys.urls);
  const files = filesRepository(database, keys, blobs);
  const inspector = createFileInspector({ scan: scanOf(env) });
  const uploads = { gate: createUploadGate(env.FILES_AT_ONCE), maxBytes: env.FILE_MAX_BYTES };
  const filePorts = { files, inspector, fileUrls: urls };
  const ports: Ports = { users, kycRecords, provider, observer, audit, ids, ...desks, ...filePorts };
  const secrets = providerAccess.eventsSecrets;
  const events =
    secrets.length > 0
      ? createEventsApp({ reader: createEventReader({ secrets }), kycRecords, observer })
      : undefined;
  // Wrong keys do not stop the process: statuses are learned without them, and everything else is refused.
  const keyReasons = () => keyProblems(database, keys).catch(() => ["The keys could not be checked."]);
  let worker: Worker | undefined;
  let drained: Promise<void> | undefined;
  const drain = () => {
    drained ??= atMost(env.SHUTDOWN_GRACE_MS, Promise.resolve(worker?.stop()));
    return drained;
  };
  const health: Health = {
    async reasons() {
      const reasons = await databaseReasons(database);
      if (reasons.length === 0) reasons.push(...(await keyReasons()));
      return [...(drained ? ["draining"] : []), ...reasons];
    },
  };
  const app = createApp({
    policies: policiesOf(env, publicUrl),
    ports,
    apiKeys: apiKeysRepository(database, env.LOOKUP_CACHE_SECONDS),
    allowDemoKeys: access.embedded,
    rateLimiter: createRateLimiter(ratesOf(env, access.embedded)),
    events,
    health,
    publicUrl,
    notes,
    docsScript,
    log,
    uploads,
    urls,
  });
  return {
    fetch: env.RUN === "worker" ? new Hono().route("/health", createHealthApp(health)).fetch : app.fetch,
    admit: limitConcurrency({ most: env.REQUESTS_AT_ONCE, onFull: log.full }),
    metrics: metrics.app.fetch,
    database,
    work() {
      if (env.RUN !== "api")
        worker = startWorker({
          ports,
          erasures: erasures(database),
          retentionDays: env.RETENTION_DAYS,
          perSecond: env.SETTLE_PER_SECOND,
        });
    },
    drain,
    async close() {
      await drain();
      await atMost(closingMs, owned.release());
      await atMost(closingMs, Promise.all([cardProvider.close(), database.close()]));
    },
  };
}
