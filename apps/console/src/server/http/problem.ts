/** tRPC's names and numbers of the errors that the console's server itself returns. */
const trpcCodes = {
  401: ["UNAUTHORIZED", -32001],
  403: ["FORBIDDEN", -32003],
  404: ["NOT_FOUND", -32004],
  405: ["METHOD_NOT_SUPPORTED", -32005],
  413: ["PAYLOAD_TOO_LARGE", -32013],
  415: ["UNSUPPORTED_MEDIA_TYPE", -32015],
  429: ["TOO_MANY_REQUESTS", -32029],
  500: ["INTERNAL_SERVER_ERROR", -32603],
  503: ["SERVICE_UNAVAILABLE", -32603],
} as const;

/** The problems of the console's server. Their bodies are those of the service, so that `problemOf` reads both. */
const problems = {
  SIGN_IN_REQUIRED: [401, "Sign in to continue."],
  REQUEST_REFUSED: [403, "The request does not come from the console's own pages."],
  PROCEDURE_NOT_ALLOWED: [403, "The console does not offer this call."],
  ROUTE_NOT_FOUND: [404, "There is no such route."],
  METHOD_NOT_ALLOWED: [405, "This route does not support this method."],
  PAYLOAD_TOO_LARGE: [413, "The request is too large."],
  UNSUPPORTED_MEDIA_TYPE: [415, "Send application/json."],
  RATE_LIMITED: [429, "Too many live views are open in this session; close one."],
  INTERNAL_ERROR: [500, "An unexpected error occurred."],
  SERVICE_UNAVAILABLE: [503, "The service is not available; try again later."],
  OUTCOME_UNKNOWN: [
    503,
    "The connection was lost before the answer. Check whether the call took effect before you repeat it.",
  ],
} as const;

export type ProblemCode = keyof typeof problems;

/**
 * An error response in the shape of the service's tRPC errors, with `more` beside the error.
 */
export function problemResponse(
  code: ProblemCode,
  requestId: string,
  more: Record<string, unknown> = {},
): Response {
  const [status, message] = problems[code];
  const name = code.toLowerCase();
  const [trpcName, number] = trpcCodes[status];
  const problem = {
    type: `/problems/${name.replaceAll("_", "-")}`,
    title: code[0] + name.slice(1).replaceAll("_", " "),
    success: false,
    code,
    message,
    errors: [],
    requestId,
  };
  const body = {
    ...more,
    error: { message, code: number, data: { code: trpcName, httpStatus: status, problem } },
  };
  const wait: Record<string, string> = status === 429 ? { "retry-after": "5" } : {};
  return Response.json(body, { status, headers: { "x-request-id": requestId, ...wait } });
}
