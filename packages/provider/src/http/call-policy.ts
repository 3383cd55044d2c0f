import type { BreakerState } from "@cardbridge/domain";
import { type StartTimer, withDeadline } from "@cardbridge/egress";
import { BrokenCircuitError, CircuitState, circuitBreaker, handleWhenResult } from "cockatiel";
import { type CallResult, circuitOpen, isFailure } from "./call-result.ts";
import { createSlidingWindow } from "./sliding-window.ts";

export interface BreakerOptions {
  /** The length of the sliding window, in milliseconds. Default: 30 000. */
  windowMs?: number;
  /** The minimum number of calls in the window that can open the breaker. Default: 20. */
  minCalls?: number;
  /** The ratio of failed calls that opens the breaker. Default: 0.5. */
  failureRatio?: number;
  /** How long the breaker stays open before it lets one trial call through, in milliseconds. Default: 5000. */
  halfOpenAfterMs?: number;
}

interface CallPolicyOptions {
  deadlineMs: number;
  breaker: BreakerOptions;
  startTimer: StartTimer;
}

type Call = (signal: AbortSignal, onSend: () => void) => Promise<CallResult>;

interface CallPolicy {
  /** Runs a call under the policy's deadline, or under `ms`. Rejects only with the caller's abort reason. */
  (call: Call, caller?: AbortSignal, ms?: number): Promise<CallResult>;
  state(): BreakerState;
}

const states: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half-open",
  // Only `isolate` sets this state, and nothing calls `isolate`.
  [CircuitState.Isolated]: "open",
};

/** A total deadline and a circuit breaker. Each group of endpoints has its own policy and breaker. */
export function createCallPolicy({ deadlineMs, breaker, startTimer }: CallPolicyOptions): CallPolicy {
  const { windowMs = 30_000, minCalls = 20, failureRatio = 0.5, halfOpenAfterMs = 5_000 } = breaker;
  const window = createSlidingWindow({ windowMs, minCalls, failureRatio, now: () => performance.now() });

  // A call rejects only if the caller aborts it. This does not show that the provider works, so an aborted trial call
  // must not close the breaker.
  const failures = handleWhenResult((result) => isFailure(result as CallResult)).orWhen(
    () => circuit.state === CircuitState.HalfOpen,
  );
  const circuit = circuitBreaker(failures, { breaker: window, halfOpenAfter: halfOpenAfterMs });

  const run = async (call: Call, caller?: AbortSignal, ms = deadlineMs): Promise<CallResult> => {
    // cockatiel queues calls behind the trial of a half-open breaker, and the deadline would not cover that wait.
    if (circuit.state === CircuitState.HalfOpen) return circuitOpen;

    let sent = false;
    const onSend = () => {
      sent = true;
    };
    const onTimeout = (): CallResult => ({ kind: "timeout", reason: "deadline", sent });
    try {
      return await circuit.execute(() =>
        withDeadline({ ms, onTimeout, caller, startTimer }, (signal) => call(signal, onSend)),
      );
    } catch (error) {
      if (error instanceof BrokenCircuitError) return circuitOpen;
      throw error;
    }
  };
  return Object.assign(run, { state: () => states[circuit.state] });
}
