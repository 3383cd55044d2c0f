import type { DeliveryLane } from "@cardbridge/domain";

export interface LaneLimits {
  /** The slots of prompt endpoints. */
  prompt: number;
  /** The slots of slow endpoints. */
  slow: number;
  /** Further slots of the lane `slow`, for running attempts that turned out to be slow. */
  moved: number;
}

/** The slot of a running attempt. */
interface LaneSlot {
  /** Moves the attempt from the lane `prompt` to a `moved` slot, if one is free. */
  demote(): void;
  leave(): void;
}

export interface LaneSlots {
  /** The number of attempts that a lane may start now. */
  free(lane: DeliveryLane): number;
  take(lane: DeliveryLane): LaneSlot;
}

/** Counts the running attempts of each lane. `onFree` is called when a slot of a lane becomes free. */
export function createLaneSlots(limits: LaneLimits, onFree: (lane: DeliveryLane) => void): LaneSlots {
  const taken = { prompt: 0, slow: 0, moved: 0 };

  function leave(kind: keyof LaneLimits): void {
    taken[kind] -= 1;
    if (kind !== "moved") onFree(kind);
  }

  return {
    free: (lane) => limits[lane] - taken[lane],
    take(lane) {
      let kind: keyof LaneLimits = lane;
      taken[kind] += 1;
      return {
        demote() {
          if (kind !== "prompt" || taken.moved >= limits.moved) return;
          taken.moved += 1;
          kind = "moved";
          leave("prompt");
        },
        leave: () => leave(kind),
      };
    },
  };
}
