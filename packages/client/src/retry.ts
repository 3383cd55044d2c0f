import { AbortedError, type CardbridgeError, ConnectionError, TimeoutError } from "./errors.ts";
import type { Runtime } from "./runtime.ts";
import { anySignal, timeLimit } from "./signals.ts";

/** The maximum random delay before the first retry, which doubles with each retry, and its bound. */
const firstDelayMs = 500;
const maxDelayMs = 20_000;

export interface RetryOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** The time limit of the call with all its retries, in milliseconds. */
  timeoutMs: number;
  /** The time limit of one request and its response, in milliseconds. After it, the call is sent again. */
  attemptTimeoutMs: number;
  /** The maximum number of retries of a call. */
  maxRetries: number;
}

/** One attempt. Returns its result or its error. Rejects without a complete response. */
export type Attempt<T> = (signal: AbortSignal) => Promise<{ result: T } | { error: CardbridgeError }>;

/**
 * Runs an attempt until it has a result, an error that is not retryable, no retries left, or no time left.
 * @throws CardbridgeError
 */
export async function withRetries<T>(
  attempt: Attempt<T>,
  { signal: caller = new AbortController().signal, timeoutMs, attemptTimeoutMs, maxRetries }: RetryOptions,
  runtime: Runtime,
): Promise<T> {
  const start = runtime.now();
  const total = timeLimit(runtime, timeoutMs);
  const requestIds: string[] = [];
  const end = (error: CardbridgeError) => Object.assign(error, { requestIds });
  try {
    for (let retries = 0; ; retries += 1) {
      if (caller.aborted) throw end(aborted(caller));
      const outcome = await runOnce();
      if ("result" in outcome) return outcome.result;
      const { error } = outcome;
      requestIds.push(...error.requestIds);
      if (caller.aborted) throw end(aborted(caller));
      if (total.signal.aborted) throw end(timedOut(timeoutMs, error));
      if (!error.retryable || retries >= maxRetries) throw end(error);
      const delay = delayBefore(retries, error.retryAfterMs, runtime.random());
      // A delay past the deadline would end in a timeout, which hides this more specific error.
      if (runtime.now() + delay >= start + timeoutMs) throw end(error);
      await runtime.sleep(delay, caller);
    }
  } finally {
    total.cancel();
  }

  async function runOnce() {
    const limit = timeLimit(runtime, attemptTimeoutMs);
    const { signal, release } = anySignal([caller, total.signal, limit.signal]);
    try {
      return await attempt(signal);
    } catch (cause) {
      const why = limit.signal.aborted
        ? `No complete response was received within ${attemptTimeoutMs} ms.`
        : "The connection failed or was lost.";
      return { error: new ConnectionError(why, { retryable: true, cause }) };
    } finally {
      limit.cancel();
      release();
    }
  }
}

/** Retry-After plus full jitter: a random delay up to a maximum that doubles with each retry. */
function delayBefore(retries: number, retryAfterMs = 0, random: number): number {
  return retryAfterMs + random * Math.min(maxDelayMs, firstDelayMs * 2 ** retries);
}

export function aborted({ reason }: AbortSignal): AbortedError {
  return new AbortedError("The caller aborted the call.", { retryable: false, cause: reason });
}

export function timedOut(ms: number, cause?: unknown): TimeoutError {
  return new TimeoutError(`The call took longer than ${ms} ms.`, { retryable: true, cause });
}
