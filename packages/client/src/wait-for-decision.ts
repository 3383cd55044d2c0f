import { CardbridgeError } from "./errors.ts";
import { type KycDecision, toDecision, withStanding } from "./kyc-decision.ts";
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
  /** The time limit, in milliseconds. The default is ten minutes; a review may take days. */
  timeoutMs?: number | undefined;
}

interface Reads {
  history(record: KycRecordId, options: CallOptions): Promise<KycHistory>;
  /** Reads the approval of the record's user; undefined if none stands. `options` returns those of each read. */
  standing(record: KycHistory, options: () => CallOptions): Promise<KycHistory | undefined>;
}

/**
 * Creates the function that polls a record until the caller has to act. At the end of its time, it returns the last
 * decision, which is `pending` or that of the approval that the record renews.
 */
export function createWaitForDecision({ history, standing }: Reads, runtime: Runtime) {
  return async function waitForDecision(
    record: KycRecordId,
    { signal = new AbortController().signal, timeoutMs = defaultTimeoutMs }: WaitOptions = {},
  ): Promise<KycDecision> {
    const end = runtime.now() + timeoutMs;
    const remaining = () => ({ signal, timeoutMs: end - runtime.now() });
    let latest: KycDecision | undefined;
    // Half of the time at most, so that a long Retry-After does not prevent the first read.
    let delay = Math.min(responseInfo(record)?.retryAfterMs ?? 0, timeoutMs / 2);
    for (let polls = 0; ; polls += 1) {
      if (runtime.now() + delay >= end) {
        if (latest) return latest;
        throw timedOut(timeoutMs);
      }
      await runtime.sleep(delay, signal);
      if (signal.aborted) throw aborted(signal);
      const { current, retryAfterMs = 0 } = await poll(record, remaining);
      latest = current ?? latest;
      if (current && !isUnderWay(current)) return current;
      delay = Math.max(retryAfterMs, backoff(polls, runtime.random()));
    }
  };

  /** Reads the record once. A retryable error does not end the wait. */
  async function poll(record: KycRecordId, options: () => CallOptions) {
    try {
      const current = await history(record, options());
      const { retryAfterMs } = responseInfo(current) ?? {};
      return { current: await decide(current, options), retryAfterMs };
    } catch (error) {
      if (error instanceof CardbridgeError && error.retryable) return { retryAfterMs: error.retryAfterMs };
      throw error;
    }
  }

  /** The user of a renewal stays approved while their approval stands. */
  async function decide(record: KycHistory, options: () => CallOptions): Promise<KycDecision> {
    const decided = toDecision(record);
    // A service of an earlier version returns no `renews`.
    if (decided.decision === "approved" || !record.renews) return decided;
    const approval = await standing(record, options);
    return approval ? withStanding(decided, approval) : decided;
  }
}

function isUnderWay(decided: KycDecision): boolean {
  const { decision } = (decided.decision === "approved" && decided.renewal) || decided;
  return decision === "pending";
}

/** 50% to 100% of a delay that doubles with each poll. The jitter spreads the polls of many records. */
function backoff(polls: number, random: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** polls) * (0.5 + random / 2);
}
