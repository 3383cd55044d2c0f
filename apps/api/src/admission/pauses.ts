import {
  type CurrentPause,
  type CurrentPauses,
  type Failure,
  isOperatorScope,
  type PauseState,
  type ProviderSlots,
  platformPaused,
  providerPaused,
  retryAfter,
} from "@cardbridge/domain";
import { type Call, mapOperations, type Operation, type Operations } from "@cardbridge/service";
import type { FairSemaphore } from "./fair-semaphore.ts";

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

type Pauses = Pick<CurrentPauses, "platform">;

/**
 * The failure of a call with a paused platform's key or upload URL. Internal apps name their platform in the header or in
 * the input, so `refuseWhilePaused` refuses their calls.
 */
export function refusePaused(
  pauses: Pauses,
  { kind, platformId }: Pick<Call, "kind" | "platformId">,
): Failure | undefined {
  return kind === "platform" ? failureOf(pauses, platformId) : undefined;
}

/** Makes the operations refuse calls of internal apps about a paused platform, except operators' own acts. */
export function refuseWhilePaused(operations: Operations, pauses: Pauses): Operations {
  return mapOperations(operations, (operation) => {
    if (!operation.platform) return operation;
    return {
      ...operation,
      async execute(ports, call, raw, violations) {
        const isOfApp = call.kind === "internal" && !isOperatorsAct(operation, call);
        const paused = isOfApp ? failureOf(pauses, call.platformId) : undefined;
        if (paused) throw paused;
        return operation.execute(ports, call, raw, violations);
      },
    };
  });
}

/** Whether a scope of operators allows the call. */
function isOperatorsAct({ scopes }: Operation, call: Call): boolean {
  return scopes.some((scope) => isOperatorScope(scope) && call.scopes.has(scope));
}

function failureOf(pauses: Pauses, platformId: string): Failure | undefined {
  const pause = pauses.platform(platformId);
  return pause ? platformPaused(pause) : undefined;
}

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
