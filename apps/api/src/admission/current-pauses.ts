import type { CurrentPause, CurrentPauses, PauseState } from "@cardbridge/domain";

/** A pause with its end on this process's monotonic clock, so that it ends without the database. */
interface KnownPause extends CurrentPause {
  endsAtMs: number;
}

export interface KnownPauses extends CurrentPauses {
  /** Replaces the known pauses by those that were just read. */
  replace(current: readonly CurrentPause[]): void;
  /** The number of active pauses by their target. */
  counts(): Record<CurrentPauseTarget, number>;
}

type CurrentPauseTarget = "provider" | "platform";

/** What a process logs about a pause: ids only. */
interface PauseLine {
  pauseId: string;
  target: CurrentPauseTarget;
  platformId?: string;
}

interface Options {
  /** Receives each pause that this process begins to obey, and each one that no longer holds. */
  onChange(event: "pause_started" | "pause_ended", line: PauseLine): void;
  /** A monotonic clock in milliseconds. */
  now?: (() => number) | undefined;
}

/** The pauses that this process knows. A guard compares numbers, and reads nothing. */
export function createKnownPauses({ onChange, now = () => performance.now() }: Options): KnownPauses {
  /** By the platform's id; null is the provider. A target has at most one active pause. */
  let known = new Map<string | null, KnownPause>();

  const isActive = ({ endsAtMs }: KnownPause) => now() < endsAtMs;

  function stateOf(target: string | null): PauseState | null {
    const pause = known.get(target);
    return pause && isActive(pause) ? { reason: pause.reason, until: pause.endsAt } : null;
  }

  return {
    provider: () => stateOf(null),
    platform: stateOf,
    replace(current) {
      const at = now();
      const before = byId(known);
      known = new Map(
        current.map((pause) => [pause.platformId, { ...pause, endsAtMs: at + pause.endsInMs }]),
      );
      const after = byId(known);
      for (const [id, pause] of after) if (!before.has(id)) onChange("pause_started", lineOf(pause));
      for (const [id, pause] of before) if (!after.has(id)) onChange("pause_ended", lineOf(pause));
    },
    counts() {
      const counts = { provider: 0, platform: 0 };
      for (const pause of known.values())
        if (isActive(pause)) counts[pause.platformId === null ? "provider" : "platform"] += 1;
      return counts;
    },
  };
}

const byId = (pauses: ReadonlyMap<unknown, KnownPause>) =>
  new Map([...pauses.values()].map((pause) => [pause.pauseId, pause]));

function lineOf({ pauseId, platformId }: CurrentPause): PauseLine {
  return platformId === null ? { pauseId, target: "provider" } : { pauseId, target: "platform", platformId };
}
