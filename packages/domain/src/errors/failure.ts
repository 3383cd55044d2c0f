import type { Violation } from "../input/violations.ts";

/**
 * Every code that an answer of ours can carry, with its message for the caller: results of a KYC
 * submission and errors share one closed vocabulary (gaps G3 and G13). How a code travels (an HTTP
 * status, a tRPC code) is a transport's business.
 */
export const messages = {
  KYC_SUBMITTED: "The provider received the submission; status tells where its review stands.",
  KYC_ACCEPTED: "The submission is recorded and will be settled with the provider; do not send it again.",
  KYC_REFUSED: "The provider refused the submission; correct the data and submit again.",

  MALFORMED_REQUEST: "The request cannot be read.",
  INVALID_INPUT: "The input breaks the rules listed in errors.",
  UNAUTHENTICATED: "Send a valid API key as Authorization: Bearer <key>.",
  SCOPE_MISSING: "The API key lacks the scope that this operation needs.",
  PLATFORM_FORBIDDEN: "The API key is not of the platform that X-Cardbridge-Platform names.",
  PLATFORM_NOT_FOUND: "There is no such platform.",
  KEY_NOT_FOUND: "There is no such API key.",
  KEY_CONFLICT: "The request conflicts with existing API keys; see errors.",
  CROSS_ORIGIN: "Calls from web pages of another origin are refused; call from a server.",
  USER_NOT_FOUND: "There is no such user on this platform.",
  KYC_RECORD_CONFLICT: "The state of the KYC record does not allow this; see errors.",
  KYC_RECORD_NOT_FOUND: "There is no such KYC record on this platform.",
  ROUTE_NOT_FOUND: "There is no such route.",
  METHOD_NOT_ALLOWED: "The route exists, but not with this method.",
  REQUEST_TIMEOUT: "The request did not arrive in time.",
  KYC_ALREADY_SUBMITTED: "The user already has a KYC record that is open or approved.",
  USER_IDENTITY_CONFLICT: "The e-mail or the member id already belongs to another user of this platform.",
  USER_ERASURE_PENDING: "The user is being erased; submit again once that is done.",
  IDEMPOTENCY_KEY_REUSED: "The Idempotency-Key was used before with another body.",
  FILE_NOT_FOUND: "There is no such file on this platform.",
  PAYLOAD_TOO_LARGE: "The request body is too large.",
  URI_TOO_LONG: "The request URI is too long.",
  HEADERS_TOO_LARGE: "The request headers are too large.",
  UNSUPPORTED_MEDIA_TYPE: "Send the body as the content type that this operation takes.",
  RATE_LIMITED: "Too many calls; wait as long as Retry-After says.",
  PROVIDER_TIMEOUT: "The card provider did not answer in time.",
  PROVIDER_UNAVAILABLE: "The card provider is not available; try again later.",
  PROVIDER_ANSWER_INVALID: "The card provider's answer could not be used.",
  STORAGE_FULL: "There is no room for files at the moment; try again later.",
  SERVICE_UNAVAILABLE: "The service is not available; try again later.",
  INTERNAL_ERROR: "Something went wrong on our side.",
} as const;

export type Code = keyof typeof messages;
export type ResultCode = Extract<Code, "KYC_SUBMITTED" | "KYC_ACCEPTED" | "KYC_REFUSED">;
export type ErrorCode = Exclude<Code, "KYC_SUBMITTED" | "KYC_ACCEPTED">;

export interface FailureDetails {
  /** What the caller has to change. */
  violations?: readonly Violation[];
  /** The record that the failure is about, where there is one. */
  kycRecordId?: string;
  /** When to try again, in whole seconds. */
  retryAfterSeconds?: number;
  /** The platform whose audit records it, where that is not the caller's, and the subject by our own id. */
  audit?: { platformId: string; subject?: string };
  /** The answer repeats one that was given before (gap G16). */
  replayed?: boolean;
  /** For the log only; never shown to a caller. */
  cause?: unknown;
}

/** An expected failure of an operation: the only error whose content reaches a caller. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(messages[code], { cause: details.cause });
    this.name = "Failure";
    this.code = code;
    this.details = details;
  }
}
