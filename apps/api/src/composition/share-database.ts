import type { Database } from "@cardbridge/store";
import type { FairShares } from "../fair-shares/fair-shares.ts";
import { lanes } from "../fair-shares/lanes.ts";

/**
 * Shares the connections of a database. Each platform has its own lane, unless `lane` names one for all of this
 * database's work.
 */
export function shareDatabase(database: Database, places: Pick<FairShares, "run">, lane?: string): Database {
  return {
    ...database,
    asPlatform: (platformId, work) =>
      places.run(lane ?? platformId, () => database.asPlatform(platformId, work)),
    withoutPlatform: (work) => places.run(lane ?? lanes.noPlatform, () => database.withoutPlatform(work)),
  };
}
