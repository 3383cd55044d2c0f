import type { Env } from "../config/env.ts";
import type { FairSharesOptions } from "../fair-shares/fair-shares.ts";
import { createFairShares, type FairShares } from "../fair-shares/fair-shares.ts";
import type { OperationPlaces } from "../fair-shares/share-operations.ts";

/** The shares of every scarce resource of this process. */
export interface AllShares {
  operations: OperationPlaces;
  provider: FairShares;
  database: FairShares;
  uploads: FairShares;
  decoders: FairShares;
  bodies: FairShares;
  subscriptions: FairShares;
}

/** The size of the provider client's connection pool. Its own queue would be the same for all platforms. */
export const providerConnections = 64;

/** The number of processes that decode uploaded files. One platform uses half of them. */
export const decoders = 2;

/** The maximum number of JSON bodies being read: 128 MB at 64 KB each. */
const bodiesAtOnce = 2_000;

/** The maximum number of open subscriptions. One platform uses half of them. */
const subscriptionsAtOnce = 400;

/** The maximum times to wait for a place, in milliseconds: long for a burst, short for a caller. */
const providerWaitMs = 2_000;
const databaseWaitMs = 5_000;
const uploadWaitMs = 30_000;

type Limits = Pick<Env, "REQUESTS_AT_ONCE" | "DATABASE_CONNECTIONS" | "FILES_AT_ONCE">;

export function createShares(
  { REQUESTS_AT_ONCE, DATABASE_CONNECTIONS, FILES_AT_ONCE }: Limits,
  onRefused: (resource: string) => NonNullable<FairSharesOptions["onRefused"]>,
): AllShares {
  const shares = (resource: string, capacity: number, options: Partial<FairSharesOptions> = {}) =>
    createFairShares({ capacity, ...options, onRefused: onRefused(resource) });
  return {
    operations: { query: shares("reads", REQUESTS_AT_ONCE), mutation: shares("writes", REQUESTS_AT_ONCE) },
    provider: shares("provider", providerConnections, { maxWaitMs: providerWaitMs }),
    database: shares("database", DATABASE_CONNECTIONS, { maxWaitMs: databaseWaitMs, detectHang: true }),
    uploads: shares("uploads", FILES_AT_ONCE, { maxWaitMs: uploadWaitMs }),
    decoders: shares("decoders", decoders, { maxWaitMs: uploadWaitMs }),
    bodies: shares("bodies", bodiesAtOnce),
    subscriptions: shares("subscriptions", subscriptionsAtOnce),
  };
}
