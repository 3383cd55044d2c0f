import type { ProviderProxy } from "../../deep/faults/cluster/provider-proxy.ts";

/** A service under test, with the proxies to its provider and its database. */
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

/** The services that receive marked data, in the test's process or in separate processes. */
export interface Services {
  keys: { first: string; admin: string; withoutScope: string };
  /** The platform of the first key. */
  platformId: string;
  well: Target;
  /** A service with a worker. Its provider and its database fail, and its timeout for lists is short. */
  failing: Target;
  /** Starts a service with other settings. */
  start(env: Record<string, string>): Promise<Target>;
  /** A service whose next submission throws an unexpected error. */
  throwing(): Promise<Target>;
  /** Runs while the provider has a submission. */
  look(): Promise<void> | void;
  /** All services that were started. */
  all(): readonly Target[];
  /** Ends the services. They first export their last traces. */
  end(): Promise<void>;
}

/** The environment of the services: every log line, and traces. */
export const canaryEnv = (tracesUrl: string) => ({
  LOG_LEVEL: "debug",
  OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
});

/** The additional environment of the failing service. Only a provider that never responds reaches this timeout. */
export const failingEnv = { RUN: "all", PROVIDER_READ_TIMEOUT_MS: "500" } as const;
