import type { CurrentPause, CurrentPauses, PauseState } from "@cardbridge/domain";

/** The share of the limits with which a ramp begins. */
const firstShare = 0.1;

/** A pause with its times on this process's monotonic clock, so that it ends without the database. */
interface KnownPause extends CurrentPause {
  endsAtMs: number;
  wholeAtMs: number;
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
  /** By the platform's id; null is the provider. */
  let known = new Map<string | null, KnownPause[]>();
  let active = new Map<string, CurrentPause>();

  const shareOf = ({ endsAtMs, wholeAtMs }: KnownPause, at: number): number => {
    if (at < endsAtMs) return 0;
    return at < wholeAtMs ? firstShare + (1 - firstShare) * ((at - endsAtMs) / (wholeAtMs - endsAtMs)) : 1;
  };

  /** Of a ramp and the next pause of the same target, the smaller share counts. */
  function stateOf(target: string | null): PauseState | null {
    const pauses = known.get(target);
    if (!pauses) return null;
    const at = now();
    let state: PauseState | null = null;
    for (const pause of pauses) {
      const share = shareOf(pause, at);
      if (share < (state?.share ?? 1)) state = { share, reason: pause.reason, until: pause.endsAt };
    }
    return state;
  }

  return {
    provider: () => stateOf(null),
    platform: stateOf,
    replace(current) {
      const at = now();
      const timed = current.map((pause) => ({
        ...pause,
        endsAtMs: at + pause.endsInMs,
        wholeAtMs: at + pause.rampInMs,
      }));
      known = Map.groupBy(timed, ({ platformId }) => platformId);
      const before = active;
      active = new Map(timed.filter(({ endsAtMs }) => at < endsAtMs).map((pause) => [pause.pauseId, pause]));
      for (const [id, pause] of active) if (!before.has(id)) onChange("pause_started", lineOf(pause));
      for (const [id, pause] of before) if (!active.has(id)) onChange("pause_ended", lineOf(pause));
    },
    counts() {
      const at = now();
      const counts = { provider: 0, platform: 0 };
      for (const [target, pauses] of known) {
        if (pauses.some(({ endsAtMs }) => at < endsAtMs))
          counts[target === null ? "provider" : "platform"] += 1;
      }
      return counts;
    },
  };
}

function lineOf({ pauseId, platformId }: CurrentPause): PauseLine {
  return platformId === null ? { pauseId, target: "provider" } : { pauseId, target: "platform", platformId };
}
