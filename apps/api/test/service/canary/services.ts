import type { ProviderProxy } from "../../deep/faults/cluster/provider-proxy.ts";

/** A service under test, with what stands between it and its provider and database. */
export interface Target {
  url: string;
  provider: ProviderProxy;
  database: { down(): void; up(): void };
  /** Everything that it logged so far. */
  output(): string;
  /** Its metrics; empty where it does not run. */
  metrics(): Promise<string>;
  query: Query;
}

export type Query = <T>(text: string) => Promise<T[]>;

/** The services that marked data is sent through: in the test's process, or in processes of their own. */
export interface Services {
  keys: { first: string; admin: string; withoutScope: string };
  /** The platform of the first key. */
  platformId: string;
  well: Target;
  /** Its worker runs. Its provider and its database fail, and it waits only briefly for a list. */
  failing: Target;
  /** Starts one with other settings. */
  start(env: Record<string, string>): Promise<Target>;
  /** A service whose next submission throws an unexpected error. */
  throwing(): Promise<Target>;
  /** Runs while the provider has a submission. */
  look(): Promise<void> | void;
  /** All that were started. */
  all(): readonly Target[];
  /** Ends the services, which then have sent their last traces. */
  end(): Promise<void>;
}

/** What the services of a canary need: all lines of the log, and traces. */
export const canaryEnv = (tracesUrl: string) => ({
  LOG_LEVEL: "debug",
  OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
});

/** What the failing service needs beside. Only a provider that never answers uses that time up. */
export const failingEnv = { RUN: "all", PROVIDER_READ_TIMEOUT_MS: "500" } as const;
