import type { ErrorCode } from "@cardbridge/domain";

/** The advice for each error that only internal apps and operators get, in Markdown, for the page of errors. */
export const internalAdvice = {
  PERSON_REQUIRED: "Forward the access token of the signed-in person in `X-Cardbridge-Person`.",
  PERSON_INVALID: "Read `errors`: the token is expired, for example. Get a new one from the issuer.",
  PERSON_BLOCKED: "Ask an administrator to end the block.",
  PERSON_NOT_FOUND: "Check the person id.",
  SIGN_IN_TOO_OLD: "Let the person sign in again, and repeat the call.",
  PLATFORM_NOT_FOUND: "Check the platform id.",
  KEY_NOT_FOUND: "Check the key id.",
  KEY_CONFLICT: "Read `errors`: the name has two live keys, for example.",
  PROPOSAL_NOT_FOUND: "Check the proposal id.",
  PROPOSAL_CONFLICT: "Read `errors`, and read the subject again: it changed, for example.",
  EVIDENCE_CLOSED: "Open the evidence again with a purpose.",
  PAUSE_NOT_FOUND: "Check the pause id.",
  PAUSE_CONFLICT: "Read `errors` and the list of pauses.",
  HOLD_NOT_FOUND: "Check the hold id.",
  KYC_RECORD_CONFLICT: "Read the record again.",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The advice for each error that platforms get. */
export const platformAdvice = {
  MALFORMED_REQUEST: "Correct the request. `errors` says where it is malformed, if the service can tell.",
  INVALID_INPUT: "Correct every item of `errors`, and send the request again.",
  UNAUTHENTICATED:
    "Check that the header is `Authorization: Bearer cb_…`. Check that the key belongs to this service, and that it is neither expired nor revoked.",
  SCOPE_MISSING: "Ask the operator for a key with the scope that the reference names for the operation.",
  PLATFORM_FORBIDDEN: "Leave out `X-Cardbridge-Platform`. Only keys of internal apps need it.",
  PLATFORM_PAUSED:
    "Read `errors` for the reason and the end. Send calls again after the time in `Retry-After`. Nothing was done.",
  PROVIDER_PAUSED:
    "Wait for the seconds in `Retry-After`, then send the request again. Submissions are stored meanwhile.",
  CROSS_ORIGIN: "Call the service from your server. Keys must not be in web pages.",
  USER_NOT_FOUND:
    "Check the identifier. A user exists from the first submission on. In a query, write a plus sign as `%2B`.",
  CARD_NOT_FOUND: "Check the `cardId`, and that the card belongs to a user of your platform.",
  KYC_RECORD_NOT_FOUND:
    "Check the `kycRecordId`, and that the key belongs to the platform that submitted it.",
  DOCUMENT_REQUEST_NOT_FOUND: "Read the record, and use a `documentRequestId` of its `requests`.",
  DOCUMENT_REQUEST_CONFLICT: "Read `errors` for the reason, and the record for the request's present state.",
  SANDBOX_ACT_CONFLICT: "Read `errors` for the reason, and the record or the card for its present state.",
  ROUTE_NOT_FOUND: "Check the path.",
  METHOD_NOT_ALLOWED: "Use a method that the header `Allow` names.",
  REQUEST_TIMEOUT: "Send the request again. Send its body without pauses.",
  FILE_NOT_FOUND:
    "Upload the file again if it expired. Check that the key belongs to the platform that uploaded it.",
  UPLOAD_URL_USED:
    "Create an upload URL for each file. After a lost response, send the same bytes to the same URL again: the response is that of the first upload.",
  WEBHOOK_ENDPOINT_NOT_FOUND: "Check the `endpointId`, and that the key belongs to the endpoint's platform.",
  WEBHOOK_DELIVERY_NOT_FOUND:
    "Check the `deliveryId`. Deliveries are deleted with their endpoint, and after 30 days.",
  WEBHOOK_ENDPOINT_LIMIT: "Delete an endpoint, or change the URL of one.",
  WEBHOOK_REDELIVERY_LIMIT:
    "Read the delivery's attempts and correct the endpoint, then wait for the seconds in `Retry-After`. Nothing was sent.",
  KYC_ALREADY_SUBMITTED:
    "Read the record of `kycRecordId`. Another body is possible after the provider refuses or rejects that record, and while the document of an approval expires; with the rule `renewal-not-supported`, ask the operator.",
  USER_IDENTITY_CONFLICT:
    "Read `errors`, which name the field. Use the e-mail and the memberId that you submitted for this user before.",
  USER_ERASURE_PENDING:
    "Wait until the erasure is complete, then submit again. The submission creates a new user.",
  PAYLOAD_TOO_LARGE: "Send a smaller body. `errors` names the limit.",
  URI_TOO_LONG: "Send a shorter query.",
  UNSUPPORTED_MEDIA_TYPE: "Send the `Content-Type` that `errors` names.",
  KYC_REFUSED: "Correct what `errors` says, and submit again, unless `final` is true.",
  IDEMPOTENCY_KEY_REUSED: "Use a new key for another body, and the same body for a retry.",
  RATE_LIMITED: "Wait for the seconds in `Retry-After`, then send the request again. Nothing was done.",
  HEADERS_TOO_LARGE: "Send fewer or shorter headers.",
  INTERNAL_ERROR:
    "Report the `requestId`. You may send a submission again, without a new Idempotency-Key: it never creates a second record.",
  PROVIDER_ANSWER_INVALID: "Retry a few times. If the error continues, report the `requestId`.",
  CARD_LIST_TOO_LONG:
    "Read single cards by their `cardId`. A retry will not help. Report the `requestId` to the operator.",
  PROVIDER_UNAVAILABLE: "Wait for the seconds in `Retry-After`, then send the request again.",
  SERVICE_UNAVAILABLE: "Wait for the seconds in `Retry-After`, then send the request again.",
  FILE_QUOTA_EXCEEDED: "Wait until unused files expire after 24 hours, or ask the operator for more.",
  STORAGE_FULL: "Try again later, and report the `requestId` to the operator.",
  PROVIDER_TIMEOUT: "Send the request again.",
} as const satisfies Record<Exclude<ErrorCode, keyof typeof internalAdvice>, string>;
