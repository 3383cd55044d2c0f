import { sandboxEventsSecret } from "../../../../src/config/development-secrets.ts";

/**
 * `accelerated`: the test ends leases and waits. The limits are long, so that a slow machine causes no timeout and no
 * expired lease. `real`: leases and waits end by themselves, and the limits are short.
 */
export type Timing = "accelerated" | "real";

const limits: Record<Timing, Record<string, string>> = {
  accelerated: {
    PROVIDER_KYC_TIMEOUT_MS: "30000",
    PROVIDER_READ_TIMEOUT_MS: "30000",
    LEASE_MARGIN_MS: "30000",
  },
  real: { PROVIDER_KYC_TIMEOUT_MS: "3000", LEASE_MARGIN_MS: "1500" },
};

/** How long a lease lasts at most with any of these limits, in milliseconds. */
export const maxLeaseMs = 60_000;

/** For calls that the provider never responds to: only their deadline ends them. */
export const shortDeadline = { PROVIDER_KYC_TIMEOUT_MS: "1500" };

/** The environment that all processes of a cluster share. */
export const settingsFor = (timing: Timing): Record<string, string> => ({
  SHUTDOWN_GRACE_MS: "5000",
  METRICS_PORT: "0",
  // Many processes share one server.
  DATABASE_CONNECTIONS: "3",
  LOG_LEVEL: "info",
  PROVIDER_EVENTS_SECRETS: sandboxEventsSecret,
  ...limits[timing],
});
