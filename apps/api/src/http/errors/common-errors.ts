import type { ErrorCode } from "@cardbridge/domain";

/** The error codes of every call, besides those that its operation declares. */
export const commonErrors: readonly ErrorCode[] = [
  "MALFORMED_REQUEST",
  "INVALID_INPUT",
  "UNAUTHENTICATED",
  "SCOPE_MISSING",
  "PLATFORM_FORBIDDEN",
  "PLATFORM_NOT_FOUND",
  "PLATFORM_PAUSED",
  "REQUEST_TIMEOUT",
  "URI_TOO_LONG",
  "RATE_LIMITED",
  "HEADERS_TOO_LARGE",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];
