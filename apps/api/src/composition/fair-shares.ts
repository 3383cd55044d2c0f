import type { Env } from "../config/env.ts";
import {
  createFairShares,
  type FairShares,
  type FairSharesOptions,
  type MeasuredShares,
  type Usage,
} from "../fair-shares/fair-shares.ts";
import type { Resource } from "../fair-shares/resources.ts";
import type { OperationPlaces } from "../fair-shares/share-operations.ts";

/** The shares of every scarce resource of this process. */
export interface AllShares extends Record<Exclude<Resource, "reads" | "writes">, FairShares> {
  operations: OperationPlaces;
  /** The places of a resource now. */
  usage(resource: Resource): Usage;
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
  onRefused: (resource: Resource) => NonNullable<FairSharesOptions["onRefused"]>,
): AllShares {
  const shares = (resource: Resource, capacity: number, options: Partial<FairSharesOptions> = {}) =>
    createFairShares({ capacity, ...options, onRefused: onRefused(resource) });
  const all = {
    reads: shares("reads", REQUESTS_AT_ONCE),
    writes: shares("writes", REQUESTS_AT_ONCE),
    provider: shares("provider", providerConnections, { maxWaitMs: providerWaitMs }),
    database: shares("database", DATABASE_CONNECTIONS, { maxWaitMs: databaseWaitMs, detectHang: true }),
    uploads: shares("uploads", FILES_AT_ONCE, { maxWaitMs: uploadWaitMs }),
    decoders: shares("decoders", decoders, { maxWaitMs: uploadWaitMs }),
    bodies: shares("bodies", bodiesAtOnce),
    subscriptions: shares("subscriptions", subscriptionsAtOnce),
  } satisfies Record<Resource, MeasuredShares>;
  return {
    ...all,
    operations: { query: all.reads, mutation: all.writes },
    usage: (resource) => all[resource].usage(),
  };
}
