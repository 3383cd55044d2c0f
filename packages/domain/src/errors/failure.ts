import type { Violation } from "../input/violations.ts";

/**
 * Every code of a response, with its message for the caller. Results of a KYC submission and errors share them. A later
 * version may add codes, and removes none (gap G23). Each transport maps the codes to its own statuses.
 */
export const messages = {
  KYC_SUBMITTED: "The provider received the submission; see status for its review.",
  KYC_ACCEPTED:
    "The service stored the submission and completes it with the provider; read the record for the outcome.",
  KYC_REFUSED: "The provider refused the submission; correct the data and submit again.",

  MALFORMED_REQUEST: "The request is malformed.",
  INVALID_INPUT: "The input is invalid; see errors.",
  UNAUTHENTICATED: "Send a valid API key as Authorization: Bearer <key>.",
  SCOPE_MISSING: "The API key lacks the scope that this operation requires.",
  PERSON_REQUIRED: "Send the signed-in person's access token in X-Cardbridge-Person.",
  PERSON_INVALID: "The access token in X-Cardbridge-Person is not valid; see errors.",
  PERSON_BLOCKED: "The person is blocked.",
  PERSON_NOT_FOUND: "There is no such person.",
  SIGN_IN_TOO_OLD:
    "The operation requires that the person signed in within the last 15 minutes; sign in again.",
  PLATFORM_FORBIDDEN: "The API key does not belong to the platform in X-Cardbridge-Platform.",
  PLATFORM_NOT_FOUND: "There is no such platform.",
  KEY_NOT_FOUND: "There is no such API key.",
  KEY_CONFLICT: "The request conflicts with existing API keys; see errors.",
  PROPOSAL_NOT_FOUND: "There is no such proposal.",
  PROPOSAL_CONFLICT: "The proposal cannot be made or decided now; see errors.",
  EVIDENCE_CLOSED: "The evidence is not open; open it with records.submission and a purpose.",
  PAUSE_NOT_FOUND: "There is no such pause.",
  PAUSE_CONFLICT: "The state of the pauses does not allow this; see errors.",
  PLATFORM_PAUSED: "The operator paused the platform; see errors.",
  PROVIDER_PAUSED: "The operator paused calls to the card provider; try again later.",
  HOLD_NOT_FOUND: "There is no such legal hold on this platform.",
  CROSS_ORIGIN: "Calls from web pages of another origin are not allowed; call from a server.",
  USER_NOT_FOUND: "There is no such user on this platform.",
  CARD_NOT_FOUND: "There is no such card on this platform.",
  KYC_RECORD_CONFLICT: "The state of the KYC record does not allow this; see errors.",
  KYC_RECORD_NOT_FOUND: "There is no such KYC record on this platform.",
  DOCUMENT_REQUEST_NOT_FOUND: "There is no such document request of this KYC record.",
  DOCUMENT_REQUEST_CONFLICT: "The state of the document request does not allow this; see errors.",
  SANDBOX_ACT_CONFLICT: "The state at the card provider does not allow this act; see errors.",
  ROUTE_NOT_FOUND: "There is no such route.",
  METHOD_NOT_ALLOWED: "The route does not support this method.",
  REQUEST_TIMEOUT: "The request did not arrive in time.",
  KYC_ALREADY_SUBMITTED: "The user already has a KYC record that is open or approved.",
  USER_IDENTITY_CONFLICT: "The e-mail or the member id already belongs to another user of this platform.",
  USER_ERASURE_PENDING: "The user is being erased; submit again after the erasure.",
  IDEMPOTENCY_KEY_REUSED: "The Idempotency-Key was already used with a different body.",
  FILE_NOT_FOUND: "There is no such file on this platform.",
  UPLOAD_URL_USED: "Another file was already uploaded to this URL; create an upload URL for each file.",
  WEBHOOK_ENDPOINT_NOT_FOUND: "There is no such webhook endpoint on this platform.",
  WEBHOOK_DELIVERY_NOT_FOUND: "There is no such delivery of this webhook endpoint.",
  WEBHOOK_ENDPOINT_LIMIT:
    "The platform has reached its limit of webhook endpoints; delete an endpoint first.",
  WEBHOOK_REDELIVERY_LIMIT:
    "The delivery has reached its limit of redeliveries an hour; wait for the seconds in Retry-After.",
  PAYLOAD_TOO_LARGE: "The request body is too large.",
  URI_TOO_LONG: "The request URI is too long.",
  HEADERS_TOO_LARGE: "The request headers are too large.",
  UNSUPPORTED_MEDIA_TYPE: "The operation does not support this content type.",
  RATE_LIMITED: "Too many calls; wait for the seconds in Retry-After.",
  PROVIDER_TIMEOUT: "The card provider did not respond in time.",
  PROVIDER_UNAVAILABLE: "The card provider is not available; try again later.",
  PROVIDER_ANSWER_INVALID: "The card provider sent an invalid response.",
  CARD_LIST_TOO_LONG: "The card provider lists more cards of the user than the service can count.",
  FILE_QUOTA_EXCEEDED:
    "The platform has reached its file quota; upload again after unused files expire, or ask for a larger quota.",
  STORAGE_FULL: "The file storage is full; try again later.",
  SERVICE_UNAVAILABLE: "The service is not available; try again later.",
  INTERNAL_ERROR: "An unexpected error occurred.",
} as const;

export type Code = keyof typeof messages;
export type ResultCode = Extract<Code, "KYC_SUBMITTED" | "KYC_ACCEPTED" | "KYC_REFUSED">;
export type ErrorCode = Exclude<Code, "KYC_SUBMITTED" | "KYC_ACCEPTED">;

export interface FailureDetails {
  /** The violations that the caller has to correct. */
  violations?: readonly Violation[];
  /** The record that the failure is about. */
  kycRecordId?: string;
  /** The other fields of a refused record. */
  refused?: {
    externalUserId: string;
    subStatus: string | null;
    cardAccountId: string | null;
    final: boolean;
  };
  /** The delay before a retry, in whole seconds. */
  retryAfterSeconds?: number;
  /** The id of what the call is about, for the audit; without one, `kycRecordId`. */
  subject?: string;
  /** The response repeats an earlier one. */
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
