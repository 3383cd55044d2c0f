import type { DeliveryLane } from "@cardbridge/domain";

export interface PlaceLimits {
  /** The places of endpoints that keep up. */
  prompt: number;
  /** The places of the others. */
  slow: number;
  /** Further places of the lane `slow`, for running attempts that turned out to be slow. */
  moved: number;
}

/** The place of a running attempt. */
interface Place {
  /** Frees the place in the lane `prompt`, if the lane `slow` has one for it. */
  moveOver(): void;
  leave(): void;
}

export interface Places {
  /** The number of attempts that a lane may start now. */
  free(lane: DeliveryLane): number;
  take(lane: DeliveryLane): Place;
}

/** Counts the running attempts of each lane. `onFree` is called when a lane has one place more. */
export function createPlaces(limits: PlaceLimits, onFree: (lane: DeliveryLane) => void): Places {
  const taken = { prompt: 0, slow: 0, moved: 0 };

  function leave(kind: keyof PlaceLimits): void {
    taken[kind] -= 1;
    if (kind !== "moved") onFree(kind);
  }

  return {
    free: (lane) => limits[lane] - taken[lane],
    take(lane) {
      let kind: keyof PlaceLimits = lane;
      taken[kind] += 1;
      return {
        moveOver() {
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
