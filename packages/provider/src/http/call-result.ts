import type { HttpResponse, NoResponse } from "@cardbridge/egress";

/** Why a call failed, for logs and metrics. The values are a closed set and never quote the provider or a caller. */
export type Reason =
  | NoResponse["reason"]
  | "breaker-open"
  /** A 401 or 403 from a server whose clock is far from this machine's. */
  | "clock-differs"
  | `status-${number}`
  /** With an error code of the provider, which has only small letters, digits and underscores. */
  | `status-${number}:${string}`
  | "not-utf8"
  | "not-json"
  | "wrong-shape"
  | "wrong-page"
  | "mismatched"
  | "internal";

/** A call without a response. `circuit-open` means that the circuit breaker is open and no request was made. */
export interface FailedCall {
  kind: NoResponse["kind"] | "circuit-open";
  reason: Reason;
  /** False only if the request was provably never passed to a connection. */
  sent: boolean;
}

/** The result of one call: the result of its last exchange, or of the circuit breaker. */
export type CallResult = HttpResponse | FailedCall;

export const circuitOpen: FailedCall = { kind: "circuit-open", reason: "breaker-open", sent: false };

export const isAny2xx = (status: number) => status >= 200 && status < 300;

/** A signature contains the time. Providers accept some minutes of difference, and none less than one. */
const maxClockMs = 60_000;

/** Why a call has no usable response: the status of the response, or the reason of the failure. */
export function reasonOf(result: CallResult): Reason {
  if (result.kind !== "response") return result.reason;
  const { status, date = "" } = result;
  const isRefused = status === 401 || status === 403;
  // Without a Date, the difference is NaN.
  const differs = isRefused && Math.abs(Date.parse(date) - Date.now()) > maxClockMs;
  return differs ? "clock-differs" : `status-${status}`;
}

/** Whether a request was provably never passed to a connection. */
export function isUnsent(result: CallResult): boolean {
  return result.kind !== "response" && !result.sent;
}

/** Whether to retry a read: after a failed connection or a 5xx, but not after a timeout or a 429. */
export function isRetryable(result: CallResult): boolean {
  return result.kind === "connection-failed" || (result.kind === "response" && result.status >= 500);
}

/** Whether the circuit breaker counts the call as failed. */
export function isFailure(result: CallResult): boolean {
  return result.kind === "timeout" || isRetryable(result);
}
