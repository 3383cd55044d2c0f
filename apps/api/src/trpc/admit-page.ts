import { setTimeout as delay } from "node:timers/promises";
import { Failure, type Slot } from "@cardbridge/domain";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";
import type { RateLimiter } from "../admission/rate.ts";

/**
 * Admits a page that an open subscription of a holder reads, as the gates admit a call: it takes a token of the read
 * rate and the slot of an operation. Where a call is refused, the page waits for the time of Retry-After.
 * @throws the signal's reason, or an AbortError with it, when the signal aborts.
 */
export type AdmitPage = (holder: string, signal: AbortSignal) => Promise<Slot>;

type Wait = (seconds: number, signal: AbortSignal) => Promise<unknown>;

interface Options {
  rateLimiter: RateLimiter;
  operations: Pick<FairSemaphore, "take">;
  /** Waits; rejects when the signal aborts. Tests replace it. */
  wait?: Wait | undefined;
}

const waitSeconds: Wait = (seconds, signal) => delay(seconds * 1_000, undefined, { signal });

export function createAdmitPage({ rateLimiter, operations, wait = waitSeconds }: Options): AdmitPage {
  return async (holder, signal) => {
    signal.throwIfAborted();
    await admitted(() => takeToken(holder), signal);
    const slot = await admitted(() => operations.take(holder), signal);
    if (!signal.aborted) return slot;
    slot.release();
    throw signal.reason;
  };

  async function takeToken(holder: string): Promise<void> {
    const allowance = await rateLimiter.count(holder, "reads");
    if (allowance?.allowed !== false) return;
    throw new Failure("RATE_LIMITED", { retryAfterSeconds: allowance.retryAfterSeconds });
  }

  /** Repeats an attempt that is refused, each time after its Retry-After. */
  async function admitted<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const seconds = error instanceof Failure ? error.details.retryAfterSeconds : undefined;
        if (seconds === undefined) throw error;
        await wait(seconds, signal);
      }
    }
  }
}
