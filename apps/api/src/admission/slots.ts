import { createFairSemaphore, type FairSemaphore, type FairSemaphoreOptions } from "./fair-semaphore.ts";
import type { OutageWatch } from "./outage.ts";

/** The scarce resources of a process, by their names in metrics. */
export const resources = [
  "operations",
  "bodies",
  "uploads",
  "decoders",
  "renderers",
  "provider",
  "event-bodies",
  "provider-requests",
  "database",
  "background-database",
  "subscriptions",
  "look-ups",
  "searches",
] as const;
export type Resource = (typeof resources)[number];
export type Slots = Record<Resource, FairSemaphore>;

/** The slots of calls to the provider. Its client has the same number of connections, because its queue is not fair. */
export const providerConnections = 64;

/** The number of processes that decode uploaded files. One platform uses at most half of them. */
export const decoders = 2;

/** The number of processes that render evidence. A person uses all of them while no other waits: a page takes seconds. */
export const renderers = 2;

interface Limits {
  operations: number;
  uploads: number;
  connections: DatabaseConnections;
}

/** The database connections of calls, and those of background work. */
export interface DatabaseConnections {
  calls: number;
  background: number;
}

/**
 * Creates the slots of every scarce resource. The waits absorb a burst and stay short for a caller. `provider-requests`
 * are the provider's events and its signed reads of files, which calls of platforms must not block. `event-bodies` are
 * events whose signature is not verified yet, by caller address.
 */
export function createSlots(
  { operations, uploads, connections }: Limits,
  onRefused: (resource: Resource) => NonNullable<FairSemaphoreOptions["onRefused"]>,
  outages: Record<keyof DatabaseConnections, Pick<OutageWatch, "isUnavailable">>,
): Slots {
  const ofCalls = { isDatabaseUnavailable: outages.calls.isUnavailable };
  const options: Record<Resource, FairSemaphoreOptions> = {
    operations: { capacity: operations, maxWaitMs: 250, maxStandingMs: 100, maxWaiting: 300, ...ofCalls },
    bodies: { capacity: 2_000, ...ofCalls },
    uploads: { capacity: uploads, maxWaitMs: 30_000, ...ofCalls },
    decoders: { capacity: decoders, maxWaitMs: 30_000 },
    renderers: { capacity: renderers, reserve: false, maxWaitMs: 120_000 },
    provider: {
      capacity: providerConnections,
      maxWaitMs: 500,
      codeAtLimit: "SERVICE_UNAVAILABLE",
    },
    "event-bodies": { capacity: 64, maxWaitMs: 2_000, maxWaiting: 200 },
    "provider-requests": {
      capacity: 32,
      maxWaitMs: 2_000,
      isDatabaseUnavailable: outages.background.isUnavailable,
    },
    database: { capacity: connections.calls, maxWaitMs: 5_000, codeAtLimit: "SERVICE_UNAVAILABLE" },
    "background-database": { capacity: connections.background, maxWaitMs: 5_000 },
    subscriptions: { capacity: 400, ...ofCalls },
    "look-ups": { capacity: 2_000, maxWaitMs: 1_000, ...ofCalls },
    // A search blocks the event loop, so a holder has one at a time. Calls that wait cost less than refusals that are repeated.
    searches: { capacity: 2, maxWaitMs: 2_000, maxWaiting: 50 },
  };
  const create = (resource: Resource) =>
    createFairSemaphore({ ...options[resource], onRefused: onRefused(resource) });
  return Object.fromEntries(resources.map((resource) => [resource, create(resource)])) as Slots;
}
