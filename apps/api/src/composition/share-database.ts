import type { Database } from "@cardbridge/store";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";

/** The holder of connections for work that is for no platform. It contains a space, so no platform's id equals it. */
const noPlatform = "no platform";

/** Shares the connections of a pool fairly among the platforms. `holder` names one holder for all of this pool's work. */
export function shareDatabase(
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
