import type { ConnectReason, ResponseReason } from "@cardbridge/egress";

/** Why a call failed, for logs and metrics. The values are a closed set and never quote the provider or a caller. */
export type Reason =
  | ConnectReason
  | ResponseReason
  | "connection-lost"
  | "breaker-open"
  | "deadline"
  | `status-${number}`
  | "not-utf8"
  | "not-json"
  | "wrong-shape"
  | "wrong-page"
  | "foreign"
  | "internal";

/** A body: any JSON, or the reason why it is not JSON. */
export type Body = { valid: true; json: unknown } | { valid: false; reason: Reason };

/** An HTTP response with its status and its complete body. */
export interface HttpResponse {
  kind: "response";
  status: number;
  /** The raw header. Undefined when it is absent or repeated. */
  retryAfter: string | undefined;
  body: Body;
}

/**
 * The result of one call.
 *
 * - `response`: an HTTP response.
 * - `invalid-response`: the provider sent bytes that are not HTTP.
 * - `connection-failed`: no connection was made, or it broke.
 * - `timeout`: the total deadline passed.
 * - `circuit-open`: the circuit breaker is open and no call was made.
 *
 * `sent` is false only when the request was provably never handed to a connection.
 */
export type CallResult =
  | HttpResponse
  | { kind: "invalid-response"; reason: Reason }
  | { kind: "connection-failed"; reason: Reason; sent: boolean }
  | { kind: "timeout"; sent: boolean }
  | { kind: "circuit-open" };

export const isAny2xx = (status: number) => status >= 200 && status < 300;

/** Why a call has no usable response: the status of a response, or what failed. */
export function reasonOf(result: CallResult): Reason {
  switch (result.kind) {
    case "response":
      return `status-${result.status}`;
    case "timeout":
      return "deadline";
    case "circuit-open":
      return "breaker-open";
    default:
      return result.reason;
  }
}

/** Whether a call provably was never handed to a connection. */
export function isUnsent(result: CallResult): boolean {
  return result.kind === "circuit-open" || ("sent" in result && !result.sent);
}

/** Whether to retry a read: after a failed connection or a 5xx, never after a timeout or a 429. */
export function isRetryable(result: CallResult): boolean {
  return result.kind === "connection-failed" || isServerError(result);
}

/** Whether the circuit breaker counts the call as failed. */
export function isFailure(result: CallResult): boolean {
  return result.kind === "timeout" || isRetryable(result);
}

function isServerError(result: CallResult): boolean {
  return result.kind === "response" && result.status >= 500;
}
