/** So long a burst may take, in milliseconds, before it is a crowd that stays. */
const burstMillis = 250;
/** Fewer than these are no crowd. */
const fewest = 16;

export interface Crowd {
  /** Counts one more where there is room for it. */
  enter(): boolean;
  /** One that came in has gone. */
  leave(): void;
}

/**
 * Counts what is under way. A burst may be as large as `most`; while more than a quarter of that stays under way, no
 * other comes in until there is less: who waits in a crowd costs memory and time of all, and is only answered later.
 *
 * @param now a clock in milliseconds that never goes back
 */
export function createCrowd(most: number, now = () => performance.now()): Crowd {
  const steady = Math.max(fewest, most / 4);
  let count = 0;
  let crowdedSince: number | undefined;

  function isFull(): boolean {
    if (count >= most) return true;
    return count >= steady && crowdedSince !== undefined && now() - crowdedSince > burstMillis;
  }
  return {
    enter() {
      if (isFull()) return false;
      count += 1;
      if (count >= steady) crowdedSince ??= now();
      return true;
    },
    leave() {
      count -= 1;
      // Not at once: a crowd that stays gives way one by one, and would be taken for a new burst each time.
      if (count < steady / 2) crowdedSince = undefined;
    },
  };
}
