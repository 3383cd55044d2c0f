const statuses = {
  invalid_argument: 400,
  bad_request: 400,
  credentials_invalid: 401,
  credentials_expired: 401,
  unauthorized: 401,
  access_denied: 403,
  not_found: 404,
  too_many_requests: 429,
  internal_error: 500,
} as const;

type Code = keyof typeof statuses;

/** An error response of the API: `{ code, message, source }`. */
export class ApiError extends Error {
  readonly status: (typeof statuses)[Code];
  readonly body: object;

  /** @param source the request's field or parameter; empty if there is none */
  constructor(code: Code, message: string, source = "") {
    super(message);
    this.name = "ApiError";
    this.status = statuses[code];
    this.body = { code, message, source };
  }
}

/** The documented body of a 429. It differs from the other errors: it has a `trace_id` and no `source`. */
export const tooManyRequests = {
  code: "too_many_requests",
  message: "Rate Limit Exceeded.",
  trace_id: "b8a2f2f0c1d54c7c9f6a1f8c0d3e4a5b",
  details: {},
};
