import type { PoolState } from "@cardbridge/domain";
import { type Database, type DatabaseOptions, openDatabase } from "@cardbridge/service/database";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";
import type { OutageWatch } from "../admission/outage.ts";
import type { DatabaseConnections, Slots } from "../admission/slots.ts";

/** The database connections in two pools, so that calls never wait for background work. */
export interface Pools {
  /** For calls, shared fairly among the platforms. */
  calls: Database;
  /** For look-ups of API keys, in the pool of calls. */
  apiKeys: Database;
  /** For the worker's records and other background work. */
  records: Database;
  /** For webhook deliveries, in the background pool. */
  webhooks: Database;
  /** The background pool without fair limits, for the service's own checks. */
  unshared: Database;
  state(): PoolState;
  close(): Promise<unknown>;
}

/** Opens both pools. They connect on their first use. */
export function openPools(
  options: DatabaseOptions,
  connections: DatabaseConnections,
  slots: Pick<Slots, "database" | "background-database">,
  outages: Record<keyof DatabaseConnections, OutageWatch>,
): Pools {
  const open = (pool: keyof DatabaseConnections) =>
    watchDatabase(openDatabase({ ...options, maxConnections: connections[pool] }), outages[pool]);
  const [calls, background] = [open("calls"), open("background")];
  return {
    calls: limitDatabase(calls, slots.database),
    apiKeys: limitDatabase(calls, slots.database, "API keys"),
    records: limitDatabase(background, slots["background-database"], "records"),
    webhooks: limitDatabase(background, slots["background-database"], "webhooks"),
    unshared: background,
    state: () => sumOf(calls.connections(), background.connections()),
    close: () => Promise.all([calls.close(), background.close()]),
  };
}

function watchDatabase(database: Database, outage: Pick<OutageWatch, "run">): Database {
  return {
    ...database,
    asPlatform: (platformId, work) => outage.run(() => database.asPlatform(platformId, work)),
    withoutPlatform: (work) => outage.run(() => database.withoutPlatform(work)),
  };
}

/** The holder for work without a platform. It contains a space, so no platform's id equals it. */
const noPlatform = "no platform";

/** Shares the connections of a pool fairly among the platforms. With `holder`, all work counts for that one holder. */
export function limitDatabase(
  database: Database,
  slots: Pick<FairSemaphore, "run">,
  holder?: string,
): Database {
  return {
    ...database,
    asPlatform: (platformId, work) =>
      slots.run(holder ?? platformId, () => database.asPlatform(platformId, work)),
    withoutPlatform: (work) => slots.run(holder ?? noPlatform, () => database.withoutPlatform(work)),
  };
}

function sumOf(a: PoolState, b: PoolState): PoolState {
  return { inUse: a.inUse + b.inUse, idle: a.idle + b.idle, waiting: a.waiting + b.waiting };
}
