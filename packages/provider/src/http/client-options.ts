import { type StartTimer, startSystemTimer } from "@cardbridge/egress";
import type { BreakerOptions } from "./call-policy.ts";
import type { RetryOptions } from "./retry-reads.ts";

/** The common options of every adapter's client. */
export interface HttpClientOptions {
  /**
   * In milliseconds, including all retries: `kycMs` for the calls of a submission or a query (default 10 000), `readMs`
   * for cards (5000). `connectMs` limits each connection attempt (3000; undici checks it about once a second).
   */
  deadlines?: { kycMs?: number; readMs?: number; connectMs?: number };
  /** The limit of each host. Default: 64. Further calls wait for a connection within their deadline. */
  maxConnections?: number;
  /** The maximum size of a response body, in bytes. Default: 1 048 576 (1 MB). */
  maxResponseBytes?: number;
  retries?: RetryOptions;
  breaker?: BreakerOptions;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  /** The timers of the deadlines. Default: the timers of this process. */
  startTimer?: StartTimer;
  /** The W3C traceparent of the current trace, for the headers of each request; undefined without one. */
  traceparent?: (() => string | undefined) | undefined;
}

/** The options with their defaults. */
export function withDefaults({
  deadlines: { kycMs = 10_000, readMs = 5_000, connectMs = 3_000 } = {},
  maxConnections = 64,
  maxResponseBytes = 1_048_576,
  retries = {},
  breaker = {},
  now = Date.now,
  startTimer = startSystemTimer,
  traceparent = () => undefined,
}: HttpClientOptions) {
  const host = { maxConnections, maxResponseBytes, connectMs, traceparent };
  return { kycMs, readMs, host, retries, breaker, now, startTimer };
}
