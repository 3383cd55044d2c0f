const catalogue = {
  MALFORMED_REQUEST: [400, "Malformed request", "The request is malformed."],
  INVALID_INPUT: [400, "Invalid input", "The input is invalid; see errors."],
  UNAUTHENTICATED: [401, "Unauthenticated", "Send a valid API key as Authorization: Bearer <key>."],
  SCOPE_MISSING: [403, "Scope missing", "The API key lacks the scope that this operation requires."],
  USER_NOT_FOUND: [404, "User not found", "There is no such user on this platform."],
  ROUTE_NOT_FOUND: [404, "Route not found", "There is no such route."],
  KYC_ALREADY_SUBMITTED: [
    409,
    "KYC already submitted",
    "The user already has an open or approved KYC record.",
  ],
  USER_IDENTITY_CONFLICT: [409, "User identity conflict", "The e-mail or the member id is another user's."],
  PAYLOAD_TOO_LARGE: [413, "Payload too large", "The request body is too large."],
  UNSUPPORTED_MEDIA_TYPE: [415, "Unsupported media type", "Send the body as application/json."],
  KYC_REFUSED: [
    422,
    "KYC refused",
    "The provider refused the submission; correct the data and submit again.",
  ],
  INTERNAL_ERROR: [500, "Internal error", "An unexpected error occurred."],
  PROVIDER_ANSWER_INVALID: [502, "Provider answer invalid", "The card provider sent an invalid response."],
  PROVIDER_UNAVAILABLE: [503, "Provider unavailable", "The card provider is not available; try again later."],
  PROVIDER_TIMEOUT: [504, "Provider timeout", "The card provider did not answer in time."],
} as const satisfies Record<string, readonly [number, string, string]>;

type Code = keyof typeof catalogue;

/** What is wrong with one field; never the value that was sent. */
export interface Violation {
  path: string;
  rule: string;
  message: string;
}

/** A failure that the caller is told of, as RFC 9457 says. */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: Code,
    readonly details: { errors?: Violation[]; kycRecordId?: string } = {},
  ) {
    super(catalogue[code][2]);
    this.status = catalogue[code][0];
    this.headers = { ...(extraHeaders as Partial<Record<Code, Record<string, string>>>)[code] };
  }

  toBody(requestId: string) {
    const { code, status, message, details } = this;
    const title = catalogue[code][1];
    const type = `urn:cardbridge:error:${code}`;
    return { type, title, status, success: false, code, message, errors: [], requestId, ...details };
  }
}

const extraHeaders = {
  UNAUTHENTICATED: { "www-authenticate": "Bearer" },
  PROVIDER_UNAVAILABLE: { "retry-after": "5" },
};

/** What an error of a framework's own means, by the status that it carries. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  const statusCode = error instanceof Error && "statusCode" in error ? error.statusCode : status;
  if (statusCode === 413) return new Problem("PAYLOAD_TOO_LARGE");
  if (statusCode === 415) return new Problem("UNSUPPORTED_MEDIA_TYPE");
  if (statusCode === 404) return new Problem("ROUTE_NOT_FOUND");
  return new Problem(statusCode === 400 ? "MALFORMED_REQUEST" : "INTERNAL_ERROR");
}
