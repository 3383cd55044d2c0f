import { join } from "node:path";
import { type DatabaseProxy, startDatabaseProxy } from "@cardbridge/service/database/testing";
import { inject } from "vitest";
import { sandboxCredentials } from "../../../../src/config/development-secrets.ts";
import { type ServiceProcess, startService } from "../../../support/service-process.ts";
import type { FailPointSetting } from "../program/fail-point.ts";
import { type ProviderProxy, startProviderProxy } from "./provider-proxy.ts";
import { settingsFor, type Timing } from "./settings.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the service with fail-points. */
    faultsProgram: string;
  }
}

/** One process of the service, with its own proxies to the database and to the provider. */
export interface Service extends ServiceProcess {
  database: DatabaseProxy;
  provider: ProviderProxy;
}

export interface ServiceOptions {
  /** Where the process fails. Without it the process runs the shipped program. */
  failPoint?: FailPointSetting | undefined;
  /** `api` when absent. */
  run?: "all" | "api" | "worker";
  /** The folder of another build. */
  folder?: string | undefined;
  env?: Record<string, string>;
  /** Prepares the provider's proxy before the process starts. */
  prepare?: (provider: ProviderProxy) => void;
}

/** The parts of a cluster that its services use. */
export interface Parts {
  databaseUrl: string;
  /** False behind a pooler that keeps no prepared statements. */
  preparedStatements: boolean;
  providerUrl: string;
  /** Where the cluster stores its files. */
  folder: string;
  timing: Timing;
}

/** The environment of the programs of a cluster. */
export const environmentOf = ({ databaseUrl, preparedStatements, providerUrl, folder, timing }: Parts) => ({
  ...settingsFor(timing),
  DATABASE_URL: databaseUrl,
  DATABASE_PREPARED_STATEMENTS: String(preparedStatements),
  PROVIDER_URL: providerUrl,
  PROVIDER_CLIENT_ID: sandboxCredentials.clientId,
  PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret,
  FILES_DIR: join(folder, "files"),
});

/** Starts one process of the service and waits until it is ready. */
export async function startNode(
  parts: Parts,
  { failPoint, run = "api", env = {}, folder: build, prepare }: ServiceOptions,
): Promise<Service> {
  const database = await startDatabaseProxy(parts.databaseUrl);
  const provider = await startProviderProxy(parts.providerUrl);
  prepare?.(provider);
  const own = { ...parts, databaseUrl: database.url, providerUrl: provider.url };
  const settings = { ...environmentOf(own), RUN: run, ...env };
  const started = await (failPoint === undefined
    ? startService(settings, { folder: build })
    : startService({ ...settings, FAILPOINT: failPoint }, { folder: inject("faultsProgram") }));
  return { ...started, database, provider };
}

export const hasEnded = ({ child }: Service) => child.exitCode !== null || child.signalCode !== null;

export const wasKilled = ({ child }: Service) => child.signalCode === "SIGKILL";
