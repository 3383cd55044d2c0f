import type { Env } from "./env.ts";
import { urlOf } from "./http/serve.ts";
import { keysOf } from "./keys.ts";
import type { ProviderAddress } from "./start/provider.ts";

/*
 * What the environment means to the parts that the service and the command line both construct: a person's
 * attempt has to have the same deadlines and leases as a worker's.
 */

export function kycRecordsOptions(env: Env) {
  return {
    keys: keysOf(env),
    leaseSeconds: (env.PROVIDER_KYC_TIMEOUT_MS + env.LEASE_MARGIN_MS) / 1_000,
    holdAfterSeconds: env.HOLD_AFTER_SECONDS,
  };
}

export function providerOptions(env: Env, { url, clientId, clientSecret }: ProviderAddress) {
  const deadlines = { kycMs: env.PROVIDER_KYC_TIMEOUT_MS, readMs: env.PROVIDER_READ_TIMEOUT_MS };
  return { baseUrl: url, clientId, clientSecret, deadlines };
}

/** Where callers and the provider reach the service. */
export function publicUrlOf({ PUBLIC_URL, HOST: host, PORT: port }: Env): string {
  return PUBLIC_URL ?? urlOf({ host, port });
}
