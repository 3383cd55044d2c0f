import { defaultPolicies, hongKongPolicies, type Policies } from "@cardbridge/domain";
import { createCardProvider } from "@cardbridge/provider";
import {
  apiKeysRepository,
  type Database,
  kycRecordsRepository,
  openDatabase,
  usersRepository,
} from "@cardbridge/store";
import { createApp } from "./app.ts";
import { developmentFingerprintKey, type Env } from "./env.ts";
import { ids } from "./ids.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./operations/index.ts";
import { databaseReasons } from "./start/check-database.ts";
import type { DatabaseAccess } from "./start/database.ts";
import type { ProviderAccess } from "./start/provider.ts";
import { startWorker } from "./worker/worker.ts";

export interface Container {
  fetch(request: Request): Response | Promise<Response>;
  database: Database;
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
  const provider = createCardProvider({
    baseUrl: providerAccess.url,
    clientId: providerAccess.clientId,
    clientSecret: providerAccess.clientSecret,
    deadlines: { kycMs: env.PROVIDER_KYC_TIMEOUT_MS, readMs: env.PROVIDER_READ_TIMEOUT_MS },
    observer: log,
  });
  const kycRecords = kycRecordsRepository(database, {
    fingerprintKey: env.FINGERPRINT_KEY ?? developmentFingerprintKey,
    leaseSeconds: (env.PROVIDER_KYC_TIMEOUT_MS + leaseMarginMs) / 1_000,
    holdAfterSeconds: env.HOLD_AFTER_SECONDS,
  });
  const ports: Ports = { users: usersRepository(database), kycRecords, provider, observer: log, ids };
  const worker = env.RUN === "api" ? undefined : startWorker({ ports });
  const app = createApp({
    policies: policiesOf(env),
    ports,
    apiKeys: apiKeysRepository(database),
    allowDemoKeys: access.embedded,
    health: {
      reasons: async () => [...(draining ? ["draining"] : []), ...(await databaseReasons(database))],
    },
    publicUrl,
    notes,
    log,
  });
  return {
    fetch: app.fetch,
    database,
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

function policiesOf(env: Env): Policies {
  return {
    ...defaultPolicies,
    hongKong: hongKongPolicies[env.POLICY_HONG_KONG],
    documentExpiry: env.POLICY_DOCUMENT_EXPIRY,
    fileOrigins: env.POLICY_FILE_ORIGINS,
  };
}
