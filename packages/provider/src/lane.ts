import { BrokenCircuitError, CircuitState, circuitBreaker, handleWhenResult } from "cockatiel";
import { createCallWindow } from "./call-window.ts";
import { type Schedule, withDeadline } from "./deadline.ts";
import { isFault, type Outcome } from "./outcome.ts";

export interface BreakerOptions {
  /** How far back calls count, in milliseconds; 30 000 unless told otherwise. */
  windowMs?: number;
  /** How many calls the window must hold before the breaker may open; 20 unless told otherwise. */
  minimumCalls?: number;
  /** The share of them that must have failed; 0.5 unless told otherwise. */
  failureShare?: number;
  /** How long it stays open before one call may try, in milliseconds; 5000 unless told otherwise. */
  halfOpenAfterMs?: number;
}

interface LaneOptions {
  deadlineMs: number;
  breaker: BreakerOptions;
  schedule: Schedule;
}

type Work = (signal: AbortSignal, onSend: () => void) => Promise<Outcome>;

/** Runs a call; rejects with the caller's abort reason and with nothing else. */
type Lane = (work: Work, caller?: AbortSignal) => Promise<Outcome>;

/** Calls that share a deadline and a breaker, so that one ill endpoint does not close another. */
export function createLane({ deadlineMs, breaker, schedule }: LaneOptions): Lane {
  const { windowMs = 30_000, minimumCalls = 20, failureShare = 0.5, halfOpenAfterMs = 5_000 } = breaker;
  const window = createCallWindow({ windowMs, minimumCalls, failureShare, now: () => performance.now() });

  // A rejection means that the caller left. It says nothing of the provider, so it must not heal a breaker.
  const faults = handleWhenResult((result) => isFault(result as Outcome)).orWhen(
    () => circuit.state === CircuitState.HalfOpen,
  );
  const circuit = circuitBreaker(faults, { breaker: window, halfOpenAfter: halfOpenAfterMs });

  return async (work, caller) => {
    // cockatiel lets calls wait for the trial of a half-open breaker, which no deadline would cover.
    if (circuit.state === CircuitState.HalfOpen) return { kind: "broken" };

    let sent = false;
    const onSend = () => {
      sent = true;
    };
    const late = (): Outcome => ({ kind: "late", sent });
    try {
      return await circuit.execute(() =>
        withDeadline({ ms: deadlineMs, late, caller, schedule }, (signal) => work(signal, onSend)),
      );
    } catch (error) {
      if (error instanceof BrokenCircuitError) return { kind: "broken" };
      throw error;
    }
  };
}
