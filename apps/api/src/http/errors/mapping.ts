import { type ErrorCode, Failure } from "@cardbridge/domain";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server";

interface Mapping {
  status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 408
    | 409
    | 413
    | 414
    | 415
    | 422
    | 429
    | 431
    | 500
    | 502
    | 503
    | 504
    | 507;
  trpc: TRPC_ERROR_CODE_KEY;
}

/** The HTTP status and the tRPC code of every error (gap G3). */
export const errorMapping = {
  MALFORMED_REQUEST: { status: 400, trpc: "BAD_REQUEST" },
  INVALID_INPUT: { status: 400, trpc: "BAD_REQUEST" },
  UNAUTHENTICATED: { status: 401, trpc: "UNAUTHORIZED" },
  SCOPE_MISSING: { status: 403, trpc: "FORBIDDEN" },
  PERSON_REQUIRED: { status: 401, trpc: "UNAUTHORIZED" },
  PERSON_INVALID: { status: 401, trpc: "UNAUTHORIZED" },
  PERSON_BLOCKED: { status: 403, trpc: "FORBIDDEN" },
  PERSON_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  SIGN_IN_TOO_OLD: { status: 401, trpc: "UNAUTHORIZED" },
  PLATFORM_FORBIDDEN: { status: 403, trpc: "FORBIDDEN" },
  PLATFORM_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  KEY_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  KEY_CONFLICT: { status: 409, trpc: "CONFLICT" },
  PROPOSAL_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  PROPOSAL_CONFLICT: { status: 409, trpc: "CONFLICT" },
  EVIDENCE_CLOSED: { status: 409, trpc: "CONFLICT" },
  PAUSE_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  PAUSE_CONFLICT: { status: 409, trpc: "CONFLICT" },
  PLATFORM_PAUSED: { status: 403, trpc: "FORBIDDEN" },
  PROVIDER_PAUSED: { status: 503, trpc: "SERVICE_UNAVAILABLE" },
  HOLD_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  CROSS_ORIGIN: { status: 403, trpc: "FORBIDDEN" },
  USER_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  CARD_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  KYC_RECORD_CONFLICT: { status: 409, trpc: "CONFLICT" },
  KYC_RECORD_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  DOCUMENT_REQUEST_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  DOCUMENT_REQUEST_CONFLICT: { status: 409, trpc: "CONFLICT" },
  SANDBOX_ACT_CONFLICT: { status: 409, trpc: "CONFLICT" },
  ROUTE_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  METHOD_NOT_ALLOWED: { status: 405, trpc: "METHOD_NOT_SUPPORTED" },
  REQUEST_TIMEOUT: { status: 408, trpc: "TIMEOUT" },
  FILE_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  UPLOAD_URL_USED: { status: 409, trpc: "CONFLICT" },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, trpc: "NOT_FOUND" },
  WEBHOOK_ENDPOINT_LIMIT: { status: 409, trpc: "CONFLICT" },
  WEBHOOK_REDELIVERY_LIMIT: { status: 429, trpc: "TOO_MANY_REQUESTS" },
  KYC_ALREADY_SUBMITTED: { status: 409, trpc: "CONFLICT" },
  USER_IDENTITY_CONFLICT: { status: 409, trpc: "CONFLICT" },
  USER_ERASURE_PENDING: { status: 409, trpc: "CONFLICT" },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: "PAYLOAD_TOO_LARGE" },
  URI_TOO_LONG: { status: 414, trpc: "BAD_REQUEST" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, trpc: "UNSUPPORTED_MEDIA_TYPE" },
  KYC_REFUSED: { status: 422, trpc: "UNPROCESSABLE_CONTENT" },
  IDEMPOTENCY_KEY_REUSED: { status: 422, trpc: "UNPROCESSABLE_CONTENT" },
  RATE_LIMITED: { status: 429, trpc: "TOO_MANY_REQUESTS" },
  HEADERS_TOO_LARGE: { status: 431, trpc: "BAD_REQUEST" },
  INTERNAL_ERROR: { status: 500, trpc: "INTERNAL_SERVER_ERROR" },
  PROVIDER_ANSWER_INVALID: { status: 502, trpc: "BAD_GATEWAY" },
  CARD_LIST_TOO_LONG: { status: 502, trpc: "BAD_GATEWAY" },
  PROVIDER_UNAVAILABLE: { status: 503, trpc: "SERVICE_UNAVAILABLE" },
  SERVICE_UNAVAILABLE: { status: 503, trpc: "SERVICE_UNAVAILABLE" },
  FILE_QUOTA_EXCEEDED: { status: 409, trpc: "CONFLICT" },
  STORAGE_FULL: { status: 507, trpc: "SERVICE_UNAVAILABLE" },
  PROVIDER_TIMEOUT: { status: 504, trpc: "GATEWAY_TIMEOUT" },
} as const satisfies Record<ErrorCode, Mapping>;

/**
 * Converts a thrown value into a failure. Unexpected errors become INTERNAL_ERROR without details. An abort because the
 * caller disconnected is not an internal error.
 */
export function toFailure(error: unknown, caller?: AbortSignal): Failure {
  if (error instanceof Failure) return error;
  const isAborted = caller?.aborted === true && error === caller.reason;
  return new Failure(isAborted ? "MALFORMED_REQUEST" : "INTERNAL_ERROR", { cause: error });
}
