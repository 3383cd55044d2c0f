import { ExponentialBackoff, handleWhenResult, retry } from "cockatiel";
import { type CallResult, isRetryable } from "./call-result.ts";

export interface RetryOptions {
  /** The number of retries. Default: 2. */
  count?: number;
  /** The minimum and maximum delay, in milliseconds. Default: 50 and 500. */
  minDelayMs?: number;
  maxDelayMs?: number;
}

type RetryRead = (send: () => Promise<CallResult>, signal: AbortSignal) => Promise<CallResult>;

/** Creates the retry policy of reads: retries temporary failures with growing delays until the signal aborts. */
export function createReadRetry({ count = 2, minDelayMs = 50, maxDelayMs = 500 }: RetryOptions): RetryRead {
  const policy = retry(
    handleWhenResult((result) => isRetryable(result as CallResult)),
    {
      maxAttempts: count,
      backoff: new ExponentialBackoff({ initialDelay: minDelayMs, maxDelay: maxDelayMs }),
    },
  );
  return (send, signal) => policy.execute(send, signal);
}
