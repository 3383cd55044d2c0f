import type { Problem } from "./types.ts";

interface Details {
  retryable: boolean;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** The base class of all errors of the client. Each subclass is one `kind`. */
export abstract class CardbridgeError extends Error {
  abstract readonly kind: "problem" | "connection" | "timeout" | "aborted" | "response";
  /** Whether the same call may succeed later. The client has already made all its retries. */
  readonly retryable: boolean;
  /** The Retry-After of the last response, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The request ids of the call's responses, oldest first. Include them in support requests. */
  requestIds: readonly string[];

  constructor(message: string, { retryable, requestId, retryAfterMs, cause }: Details) {
    super(message, { cause });
    this.name = new.target.name;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.requestIds = requestId === undefined ? [] : [requestId];
  }
}

/** cardbridge returned an error. */
export class ProblemError extends CardbridgeError {
  readonly kind = "problem";
  /** The error's code, such as `USER_NOT_FOUND`. Tolerate new codes. */
  readonly code: Problem["code"];
  /** The whole body. Its `errors` list the necessary corrections. */
  readonly problem: Problem;
  /** Whether the response repeats the response to an equal submission. */
  readonly replayed: boolean;

  constructor(problem: Problem, details: Details & { replayed: boolean }) {
    super(problem.message, details);
    this.code = problem.code;
    this.problem = problem;
    this.replayed = details.replayed;
  }
}

/** The client received no complete response. It is unknown whether the call took effect. */
export class ConnectionError extends CardbridgeError {
  readonly kind = "connection";
}

/** The call, with all its retries, took longer than `timeoutMs`. It is unknown whether it took effect. */
export class TimeoutError extends CardbridgeError {
  readonly kind = "timeout";
}

/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends CardbridgeError {
  readonly kind = "aborted";
}

/** The response is not from cardbridge; for example, it is a page of a proxy. */
export class ResponseError extends CardbridgeError {
  readonly kind = "response";
  readonly status: number;

  constructor(message: string, { status, ...details }: Details & { status: number }) {
    super(message, details);
    this.status = status;
  }
}
