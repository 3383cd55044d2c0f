const statuses = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  user_not_found: 404,
  card_not_found: 404,
  reference_conflict: 409,
  request_not_open: 409,
  act_conflict: 409,
  key_conflict: 409,
  too_large: 413,
  kyc_refused: 422,
  answer_refused: 422,
  internal: 500,
} as const;

type Code = keyof typeof statuses;

/** An error response: `{ error: { code, message } }`, with optional further members before `error`. */
export class ApiError extends Error {
  readonly status: (typeof statuses)[Code];
  readonly body: object;

  constructor(code: Code, message: string, members: object = {}) {
    super(message);
    this.name = "ApiError";
    this.status = statuses[code];
    this.body = { ...members, error: { code, message } };
  }
}
