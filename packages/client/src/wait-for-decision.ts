import { CardbridgeError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { responseInfo } from "./response-info.ts";
import { aborted, timedOut } from "./retry.ts";
import type { Runtime } from "./runtime.ts";
import type { KycHistory, KycRecordId } from "./types.ts";

const firstDelayMs = 1_000;
const maxDelayMs = 60_000;
const defaultTimeoutMs = 600_000;

export interface WaitOptions {
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
  /** The time limit of the wait, in milliseconds. The default is ten minutes; a review may take days. */
  timeoutMs?: number | undefined;
}

type Read = (record: KycRecordId, options: CallOptions) => Promise<KycHistory>;

/** Creates the function that polls a record until it has a decision. */
export function createWaitForDecision(read: Read, runtime: Runtime) {
  return async function waitForDecision(
    record: KycRecordId,
    { signal = new AbortController().signal, timeoutMs = defaultTimeoutMs }: WaitOptions = {},
  ): Promise<KycHistory> {
    const end = runtime.now() + timeoutMs;
    let delay = responseInfo(record)?.retryAfterMs ?? 0;
    for (let polls = 0; ; polls += 1) {
      if (runtime.now() + delay >= end) throw timedOut(timeoutMs);
      await runtime.sleep(delay, signal);
      if (signal.aborted) throw aborted(signal);
      const { decided, retryAfterMs = 0 } = await poll(record, { signal, timeoutMs: end - runtime.now() });
      if (decided) return decided;
      delay = Math.max(retryAfterMs, backoff(polls, runtime.random()));
    }
  };

  /** Reads the record once. A retryable error does not end the wait. */
  async function poll(record: KycRecordId, options: CallOptions) {
    try {
      const current = await read(record, options);
      return isDecided(current)
        ? { decided: current }
        : { retryAfterMs: responseInfo(current)?.retryAfterMs };
    } catch (error) {
      if (error instanceof CardbridgeError && error.retryable) return { retryAfterMs: error.retryAfterMs };
      throw error;
    }
  }
}

/** Unknown statuses are not decisions. */
function isDecided({ status, code }: KycHistory): boolean {
  return status === "APPROVED" || status === "REJECTED" || code === "KYC_REFUSED";
}

/** 50% to 100% of a delay that doubles with each poll. The jitter spreads the polls of many records. */
function backoff(polls: number, random: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** polls) * (0.5 + random / 2);
}
