/** Why a call came to nothing, for logs and counters: a closed vocabulary that never quotes anybody. */
export type Reason =
  | "connection-refused"
  | "dns-failed"
  | "connect-timeout"
  | "tls-failed"
  | "connect-failed"
  | "connection-lost"
  | "client-closed"
  | "breaker-open"
  | "deadline"
  | `status-${number}`
  | "not-http"
  | "too-large"
  | "truncated"
  | "encoded"
  | "not-utf8"
  | "not-json"
  | "wrong-shape"
  | "wrong-page"
  | "foreign"
  | "internal";

/** A body: JSON of any shape, or why it is none. */
export type Body = { readable: true; json: unknown } | { readable: false; reason: Reason };

/** The provider answered with an HTTP status and a body that came to an end. */
export interface Answer {
  kind: "answer";
  status: number;
  /** The header as it came; undefined when absent or repeated. */
  retryAfter: string | undefined;
  body: Body;
}

/**
 * What became of one call.
 *
 * - `answer`: see above.
 * - `unreadable`: what came back is not HTTP.
 * - `lost`: there was no connection, or it broke.
 * - `late`: the total deadline passed.
 * - `broken`: the circuit breaker is open and nothing was tried.
 *
 * `sent` is false only when the request was provably never handed to a connection.
 */
export type Outcome =
  | Answer
  | { kind: "unreadable"; reason: Reason }
  | { kind: "lost"; reason: Reason; sent: boolean }
  | { kind: "late"; sent: boolean }
  | { kind: "broken" };

/** Whether another attempt of a read may help: a lost connection or a 5xx, never a timeout or a 429. */
export function isWorthRetrying(outcome: Outcome): boolean {
  return outcome.kind === "lost" || isServerError(outcome);
}

/** Whether the breaker counts it: the provider, or the way to it, is ill. */
export function isFault(outcome: Outcome): boolean {
  return outcome.kind === "late" || isWorthRetrying(outcome);
}

function isServerError(outcome: Outcome): boolean {
  return outcome.kind === "answer" && outcome.status >= 500;
}
