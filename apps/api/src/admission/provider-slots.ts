import { type CurrentPauses, type ProviderSlots, providerPaused, retryAfter } from "@cardbridge/domain";
import type { FairSemaphore } from "./fair-semaphore.ts";

/**
 * How many times more submissions of a platform may wait during a pause of the provider. By default, the normal limit is
 * a minute of the platform's rate, so this is an hour.
 */
const unsentFactor = 60;

/** A worker calls the provider within about a second. */
const resultAfterSeconds = 2;

/** The slots for calls to the provider, none of which exists during a pause. Calls under way keep theirs. */
export function createProviderSlots(
  slots: Pick<FairSemaphore, "tryTake" | "room" | "run">,
  pauses: Pick<CurrentPauses, "provider">,
  maxUnsent: ProviderSlots["maxUnsent"],
): ProviderSlots {
  const isPaused = () => pauses.provider() !== null;
  return {
    tryTake: (holder) => (isPaused() ? undefined : slots.tryTake(holder)),
    room: (holder) => (isPaused() ? 0 : slots.room(holder)),
    maxUnsent: (platformId) => maxUnsent(platformId) * (pauses.provider() ? unsentFactor : 1),
    resultAfter() {
      const pause = pauses.provider();
      return pause ? retryAfter(pause) : resultAfterSeconds;
    },
    async run(holder, work) {
      const pause = pauses.provider();
      if (pause) throw providerPaused(pause);
      return slots.run(holder, work);
    },
  };
}
