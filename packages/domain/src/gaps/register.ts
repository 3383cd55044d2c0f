/**
 * The gap register: every question that the interface leaves open, our answer, and the seam through which the answer
 * can be changed. Nothing that the interface leaves open is decided anywhere else. docs/gaps.md is made from this list.
 */
export interface Gap {
  id: `G${number}`;
  /** What the interface does not show. */
  question: string;
  /** What we do: our decision, not the interface's. */
  decision: string;
  reason: string;
  /** The code or the variable that one changes to decide otherwise. */
  seam: string;
  /** `planned`: decided, but not built yet. */
  state: "built" | "planned";
}

export const gaps: readonly Gap[] = [
  {
    id: "G1",
    question: "Is there an envelope around the response data?",
    decision: "No. The JSON body is the response data itself.",
    reason: "The interface documents no envelope.",
    seam: "apps/api/src/rest/app.ts renders the operation's output unchanged.",
    state: "built",
  },
  {
    id: "G2",
    question: "What does an error look like?",
    decision:
      "RFC 9457 application/problem+json with success: false, code, message, errors (path, rule, " +
      "message), requestId and, if the error is about a record, kycRecordId. errors lists up to 100 " +
      "violations, and omittedErrors counts the others. type is the path of the service's page that explains the " +
      "code. The body never repeats a value " +
      "that the caller sent. tRPC has the same body in error.data.problem; in a batch each failed call " +
      "has its own, and requestId names the whole request. Every response has the header x-request-id.",
    reason:
      "success, code and message are the interface's words for a platform result; the rest is the standard.",
    seam: "apps/api/src/errors/problem.ts",
    state: "built",
  },
  {
    id: "G3",
    question: "Which codes and HTTP statuses are there?",
    decision:
      "A closed set of codes, each with one HTTP status and one tRPC code. One 400 lists all violations " +
      "of a request: those of its headers, its query, its fields and the files that it names. A JSON syntax " +
      "error has its line and column, a 415 the wanted type, a 413 the limit. If the provider fails during a read, the answer is 504 (deadline), 503 with " +
      "Retry-After (unavailable) or 502 (an unusable response).",
    reason: "The conventions of HTTP.",
    seam: "packages/domain/src/errors/failure.ts (codes and messages), apps/api/src/errors/mapping.ts (statuses)",
    state: "built",
  },
  {
    id: "G4",
    question: "What if a list request has both identifiers, or neither?",
    decision:
      "400 with the rule exactly-one-identifier. A repeated parameter and an empty value are also 400. So is " +
      "a parameter that the operation does not know, on every route and in the input of a tRPC query; the " +
      "answer names the nearest known one, and never repeats the unknown name. An e-mail with a space, " +
      "which is a raw plus sign in a query, gets the advice to write %2B.",
    reason:
      "Picking one would hide the caller's mistake, and could show the wrong user's cards. A mistyped filter " +
      "would return every card.",
    seam:
      "exactlyOneIdentifier in packages/domain/src/identity/identifier.ts; " +
      "apps/api/src/middleware/read-query.ts, apps/api/src/middleware/unknown-parameters.ts",
    state: "built",
  },
  {
    id: "G5",
    question: "Which pagination fields are beside items?",
    decision: "page, pageSize, total and totalPages.",
    reason: "They repeat the request's own words.",
    seam: "packages/domain/src/input/pagination.ts, packages/domain/src/cards/list.ts",
    state: "built",
  },
  {
    id: "G6",
    question: "What are the bounds of page, pageSize and status?",
    decision:
      "page is 1 to 10000 and pageSize 1 to 100: plain digits in a query, JSON numbers in tRPC. Anything " +
      "else is 400. A page past the end is 200 without items. A status filter has 1 to 64 characters.",
    reason: "Comparable card interfaces limit a page to 100 items.",
    seam: "packages/domain/src/input/pagination.ts, packages/domain/src/input/open-enum.ts",
    state: "built",
  },
  {
    id: "G7",
    question: "In which order are cards listed?",
    decision:
      "Newest first; cards of the same time are ordered by cardId. The provider is asked for that order.",
    reason: "Pages are stable only in a total order.",
    seam: "the sort parameter in docs/provider-contract.md; the provider's conformance suite checks it",
    state: "built",
  },
  {
    id: "G8",
    question: "Which fields does a card record have?",
    decision:
      "cardId and status are always present. memberId, cardAccountId, type, network, last4, expiryMonth, " +
      "expiryYear, nameOnCard, currency and createdAt may be null. A malformed value, or a full card " +
      "number in one of these fields, becomes null and is counted. In cardId or status, either one makes " +
      "the whole response unusable (G3). Every other field of the provider is dropped.",
    reason:
      "Card issuers commonly show these fields, without a full card number or a CVV. An allow-list " +
      "cannot leak other fields.",
    seam:
      "packages/domain/src/cards/card.ts, packages/domain/src/cards/card-number.ts, " +
      "packages/provider/src/cards/card-mapper.ts",
    state: "built",
  },
  {
    id: "G9",
    question: "Which users are Hong Kong users, whose supportingDocuments are optional?",
    decision:
      "Users whose documentCountry is HK. Other policies are nationality, either, or a predicate of your " +
      "own.",
    reason: "A Hong Kong identity document shows residence; residents have many nationalities.",
    seam: "Policies.hongKong, POLICY_HONG_KONG; packages/domain/src/kyc/hong-kong.ts",
    state: "built",
  },
  {
    id: "G10",
    question: "How does the provider's subStatus become the unified status?",
    decision:
      "not_submitted is PENDING, pending_approval is PENDING_APPROVAL, approved is APPROVED, rejected is " +
      "REJECTED. The adapter of a provider with other values maps them, and passes them on. An unknown value is passed on as subStatus and counted, and the status stays at the " +
      "last mapped one; it is null before the first. A value that contains a full card number is not an " +
      "answer: the outcome stays unknown (G14).",
    reason:
      "The interface allows null and asks clients to tolerate new values. A card number is not a status.",
    seam:
      "packages/domain/src/kyc/status.ts; applyVerdict in packages/domain/src/kyc/record.ts; " +
      "packages/provider/src/cardbridge/wire.ts, packages/provider/src/airwallex/statuses.ts",
    state: "built",
  },
  {
    id: "G11",
    question: "What is externalUserId?",
    decision:
      "A random id. The service creates it at the user's first submission, sends it to the provider as " +
      "the reference of the user, and never changes it. An import may supply the id that the provider " +
      "already uses. After an erasure (G26) the same names belong to a new user. The id derives from " +
      "neither the member id nor the e-mail.",
    reason: "It may not be null, and the member id may not be forwarded.",
    seam: "apps/api/src/composition/ids.ts",
    state: "built",
  },
  {
    id: "G12",
    question: "What is kycRecordId?",
    decision:
      "A time-ordered id with a prefix. The service creates it before it calls the provider, and it is " +
      "the provider's idempotency reference.",
    reason: "It allows a look-up after a lost response.",
    seam: "apps/api/src/composition/ids.ts",
    state: "built",
  },
  {
    id: "G13",
    question: "Which values do code and message of a KYC result have?",
    decision: "KYC_SUBMITTED, KYC_ACCEPTED and KYC_REFUSED, from the same set as the errors.",
    reason: "Callers learn one vocabulary.",
    seam: "packages/domain/src/errors/failure.ts",
    state: "built",
  },
  {
    id: "G14",
    question: "What if the provider's answer to a submission is unknown?",
    decision:
      "202 with the full result: success true, KYC_ACCEPTED, status PENDING, subStatus and cardAccountId " +
      "null. The record is kept and settled in the background: the service asks the provider first, and " +
      "sends the submission again, under the same reference, only after repeated not-found. A record " +
      "that cannot be settled in time is held for an operator. If the provider answered, the status is " +
      "200.",
    reason: "An error would make callers submit a live submission again.",
    seam:
      "packages/operations/src/kyc/attempt.ts, packages/domain/src/kyc/attempt.ts, " +
      "packages/domain/src/kyc/result.ts",
    state: "built",
  },
  {
    id: "G15",
    question: "What if the provider refuses a submission?",
    decision:
      "422 KYC_REFUSED with the reasons as errors (G28), kycRecordId and the record's other fields, " +
      "except its status, which is null: status is the HTTP status there. A repetition gets the same. A " +
      "review that ends in rejected is not an error: 200 with status REJECTED. If the provider later approves or rejects the submission, " +
      "that replaces the refusal.",
    reason: "success says whether processing succeeded; the outcome of a review is a different question.",
    seam: "packages/operations/src/kyc/submit.ts; applyVerdict in packages/domain/src/kyc/record.ts",
    state: "built",
  },
  {
    id: "G16",
    question: "What does a second submission of the same user mean?",
    decision:
      "A body equal to the latest record's returns that record's current result, with " +
      "Idempotent-Replayed: true. A different body is 409 KYC_ALREADY_SUBMITTED with the record's id. " +
      "After REJECTED or a refusal, a different body, or the same one with a new Idempotency-Key, " +
      "creates a new record. The latest record is that of the user with the memberId (G17). Bodies are equal after Unicode NFC, with the supporting documents in any " +
      "order, and without the known parameters of presigned URLs: X-Amz-…, X-Goog-…, those of an Azure SAS " +
      "and of CloudFront, and no others. The memberId is compared exactly (G17).",
    reason: "A caller may always retry safely, and no user has two verifications at once.",
    seam:
      "Policies.resubmission; packages/domain/src/kyc/resubmission.ts, " +
      "packages/domain/src/kyc/comparable-body.ts, packages/domain/src/kyc/claim-decision.ts",
    state: "built",
  },
  {
    id: "G17",
    question: "How do e-mail and memberId belong together?",
    decision:
      "On a platform, each names at most one user, and the memberId identifies the user. A submission finds " +
      "its user by memberId. A used Idempotency-Key or an equal body repeats its record first (G20, G16), then " +
      "the e-mail is compared, then G16 applies. While a user's latest record is refused or REJECTED, their " +
      "next submission may bring another e-mail. If no record of theirs was ever APPROVED and they were not imported, " +
      "another memberId may take their e-mail: the user keeps memberId, records and keys, and has no e-mail " +
      "until their next submission. No later verdict gives it back; one that approves a user without an e-mail is " +
      "counted (kyc_approved_without_email). Anything else that would connect an e-mail with a second " +
      "memberId, or the reverse, is 409 USER_IDENTITY_CONFLICT, whose errors name the field. POST " +
      "/openapi/v1/users/email (users.changeEmail, scope users:write) changes an e-mail in any state except a requested " +
      "erasure (G26), by the same rule for the e-mail of another user. Operators can relink. Users whom version 0.1.0 created count as imported. " +
      "E-mails are compared without regard to case, also in equal bodies (G16). Identifiers are never trimmed. A " +
      "submission has the list's limits: 128 and 64 characters.",
    reason:
      "Both identify the user equally, every submitted user can be listed, and a typo locks nobody out.",
    seam:
      "packages/domain/src/kyc/claim-decision.ts, packages/domain/src/kyc/email-owner.ts, " +
      "packages/domain/src/users/email-change.ts, packages/store/src/kyc/claim-in-transaction.ts",
    state: "built",
  },
  {
    id: "G18",
    question: "What if the user of a list is unknown?",
    decision:
      "404 USER_NOT_FOUND, the same for a user who does not exist and for another platform's user. A " +
      "user whom only the provider does not know yet has an empty list. A process caches a user that it " +
      "found (LOOKUP_CACHE_SECONDS) until it hears, within 50 ms, that a name of the user changed or that " +
      "the user was erased. If its connection is silent, it uses what it cached for three more seconds at " +
      "most.",
    reason: "No platform can learn about another platform's users.",
    seam: "packages/operations/src/cards/list.ts, packages/store/src/lookup-changes.ts",
    state: "built",
  },
  {
    id: "G19",
    question: "How does a caller authenticate?",
    decision:
      "Authorization: Bearer with an API key, over REST and tRPC. A key (cb_live_…, cb_test_…) belongs " +
      "to one platform, has scopes and may expire. It is shown once, and only its hash is stored. A " +
      "revoked key is refused within 50 ms in every process, and within three seconds where a process has " +
      "lost its connection unnoticed. An expired key is refused at once. A name has at most two live keys, so that one can replace the other. Keys of " +
      "internal apps (cb_int_…) name the platform of each call in X-Cardbridge-Platform. Without the " +
      "header the call is 400; an unknown platform is 404 PLATFORM_NOT_FOUND. A platform's key may name " +
      "its own platform; any other is 403 PLATFORM_FORBIDDEN, whether it exists or not. Only keys of " +
      "internal apps can have the scope admin, which allows the operators' procedures over tRPC. Keys " +
      "belong on servers: there is no CORS, and a changing call from a web page of another origin is 403 " +
      "CROSS_ORIGIN.",
    reason: "Convention. Platforms cannot find out which others exist; internal apps may know all.",
    seam:
      "apps/api/src/middleware/authenticate.ts, apps/api/src/middleware/platform-of.ts, " +
      "apps/api/src/api-keys/, apps/api/src/middleware/refuse-cross-origin.ts",
    state: "built",
  },
  {
    id: "G20",
    question: "Is there an idempotency key?",
    decision:
      "An optional header Idempotency-Key of 1 to 255 visible ASCII characters, bare or quoted. It " +
      "belongs to one platform and one operation. The same key with the same body returns the record's " +
      "current result with Idempotent-Replayed: true; with another body it is 422 " +
      "IDEMPOTENCY_KEY_REUSED. Keys are kept for at least 30 days; G16 has no time limit. Only " +
      "kyc.submit takes a key. On every other operation the header is 400, and so it is in a tRPC batch " +
      "of several mutations. Idempotent-Replayed is set if a request has one call and is not streamed.",
    reason: "Convention. A caller who sends the header relies on it, so the service does not ignore it.",
    seam:
      "idempotent in an operation's declaration; apps/api/src/middleware/read-idempotency-key.ts; " +
      "packages/store/src/kyc/claim-in-transaction.ts",
    state: "built",
  },
  {
    id: "G21",
    question: "Which formats do the fields have exactly?",
    decision:
      "Each field has one published pattern, with its lengths in code points. Patterns compile under RE2, " +
      "Python and ECMAScript and judge alike by full match; what they cannot judge alike is published in " +
      "words, as x-rule-in-words. Countries are two letters in either case, stored in capitals. Calling " +
      "codes are + and 1 to 4 digits, the first not 0. Dates are real calendar dates, birthdays from 1900 " +
      "on. Free text has 1 to 256 characters (contactAddress 512), at least one of them visible, no control " +
      "characters (line breaks pass in contactAddress), and is stored trimmed. E-mail addresses are ASCII " +
      "with a dot in the domain. File URLs have up to 2048 characters and are never fetched by this " +
      "service. They are our own uploads, under any spelling of our address, or https at a public host " +
      "name and the default port: no IP addresses, no localhost, no single-label or private names. Other " +
      "policies are uploads alone, given origins, or any for development. JSON bodies have up to 64 KB and " +
      "32 levels, and arrive within 10 seconds; of a repeated key in one object the last counts. Unknown " +
      "fields of a body are ignored. A field of the wrong type, null included, is 400.",
    reason:
      "The interface's rules, and limits that every store needs. The provider fetches file URLs, so they must " +
      "not name hosts of a private network.",
    seam:
      "packages/domain/src/input/formats.ts, packages/domain/src/kyc/file-origins.ts, " +
      "packages/domain/src/kyc/public-host.ts; Policies.fileOrigins, POLICY_FILE_ORIGINS",
    state: "built",
  },
  {
    id: "G22",
    question: "Are there rate limits?",
    decision:
      "Each platform has a token bucket for reads and one for submissions: 6000 and 600 per minute unless " +
      "configured, and none for the demo platforms. The processes of one database share them: each takes " +
      "blocks of tokens, so that the rate holds within a tenth. While the database grants none, each process " +
      "keeps to its share of the rate. Beyond its rate a call is 429 " +
      "RATE_LIMITED with Retry-After, before anything is read or done. Every response to a limited " +
      "platform has RateLimit and RateLimit-Policy as in draft-ietf-httpapi-ratelimit-headers; the rest that " +
      "RateLimit gives is what the process can count on. A tRPC " +
      "batch counts as the calls that it names, also if it is refused as a whole; calls beyond the limit " +
      "fail alone. Besides, each process shares what is scarce among the platforms: operations under way " +
      "(reads and writes apart), calls to the provider, database connections, uploads, and bodies being " +
      "read. A platform gets a further place while it has fewer than are free, so that one busy platform " +
      "gets half, and others always find room. Beyond its share a call is 429 RATE_LIMITED with " +
      "Retry-After, at once or after a bounded wait, and nothing is written for a submission. A platform " +
      "without a place gets 503 only if all places are taken, and every platform if the database hangs. Both " +
      "refusals may precede every other check of a call.",
    reason:
      "Convention. A limit of each process would grow with their number, and a round trip for each call would " +
      "cost half as much as a card list. A rate alone does not bound how much slow work a platform has under way.",
    seam:
      "RATE_LIMIT_READS, RATE_LIMIT_SUBMISSIONS; apps/api/src/rate-limits/, " +
      "packages/store/src/rate-limits/, apps/api/src/middleware/limit-rate.ts; REQUESTS_AT_ONCE, DATABASE_CONNECTIONS, FILES_AT_ONCE; " +
      "apps/api/src/fair-shares/, apps/api/src/load-shedding/",
    state: "built",
  },
  {
    id: "G23",
    question: "What may change within a version?",
    decision:
      "/openapi/v1 only grows: new optional fields, new enum values, new codes. Every other change " +
      "becomes /openapi/v2.",
    reason: "The interface asks clients to tolerate new values, and nothing else.",
    seam: "basePath in apps/api/src/server/paths.ts",
    state: "built",
  },
  {
    id: "G24",
    question: "How are images uploaded, card details shown, KYC results read, and events received?",
    decision:
      "By extensions of ours in the same style, marked in the OpenAPI document. Reading KYC results, " +
      "uploading (G27), card details (G31) and receiving the provider's signed events are built. Events to " +
      "platforms are planned.",
    reason: "Users cannot complete a KYC without them.",
    seam: "an operation with documented: false in packages/operations/src/",
    state: "planned",
  },
  {
    id: "G25",
    question: "Which rules depend on time?",
    decision:
      "A birthday after today, in the latest time zone, is refused. An expired document is accepted, " +
      "unless the policy documentExpiry is future. JSON Schema cannot express today, so the document " +
      "describes these rules in words.",
    reason: "A birthday in the future is always wrong; the rest is the provider's decision.",
    seam: "Policies.documentExpiry, POLICY_DOCUMENT_EXPIRY; packages/domain/src/kyc/rules.ts",
    state: "built",
  },
  {
    id: "G26",
    question: "What happens to a user who is erased?",
    decision:
      "When none of the user's records is unsettled, the personal data is destroyed. The ids and " +
      "statuses of the records remain and follow the provider. Until then an equal body still returns " +
      "its result (G16), and a body that would create a new record is 409 USER_ERASURE_PENDING. " +
      "Afterwards the user is unknown (G18) under both names, a record can be read by its id, and the " +
      "same memberId creates a new user with a new externalUserId. The user's Idempotency-Keys are " +
      "deleted too (G20).",
    reason:
      "A record with an unknown outcome may have to be sent again; nothing new may begin during an erasure.",
    seam: "packages/store/src/users/erasures.ts, packages/store/src/kyc/claim-in-transaction.ts; RETENTION_DAYS",
    state: "built",
  },
  {
    id: "G27",
    question: "What may be uploaded, who may read it, and how long is it kept?",
    decision:
      "JPEG, PNG, WebP and, if the image library decodes it, HEIC, by the bytes, up to 10 MB; as " +
      "a supporting document also PDF. A JPEG or PNG has up to 50 million pixels, which is what phones " +
      "take; what cannot be read line by line has fewer: 20 as a progressive JPEG, 16 as an interlaced " +
      "PNG, 12 as WebP, 4 as WebP with transparency or several frames. Above 4 million, an image has at " +
      "most 500 pixels per byte. A file that takes more than 3 s of CPU time or 300 MB of memory is " +
      "refused. Images are stored re-encoded and PDFs unchanged; encrypted, active and broken PDFs are " +
      "refused. A platform that stores as many files or bytes as configured gets FILE_QUOTA_EXCEEDED " +
      "(409). A file can be read with a key of its " +
      "platform (files:write or kyc:read), or for an hour with a signature that each attempt creates for " +
      "the provider. In a submission, a URL under our own address has to be the platform's own file, " +
      "with the field's purpose, not expired, and not of another user's submission. Equal bodies return " +
      "their result regardless of the files (G16). A file that no submission uses expires after 24 " +
      "hours; a used one is kept as long as its user's data (G26). Every upload is a file of its own, also " +
      "of equal bytes: two users may submit the same paper. Internal apps can create a URL that takes uploads for ten minutes " +
      "without a key, while their own key is live.",
    reason: "The interface refers to an upload that it does not show; without one no KYC can be completed.",
    seam:
      "packages/files, packages/store/src/files/, packages/operations/src/files/, " +
      "apps/api/src/file-downloads/; FILE_MAX_BYTES, FILES_QUOTA_…, FILES_AT_ONCE, FILES_DIR, FILES_S3_…, CLAMD_URL",
    state: "built",
  },
  {
    id: "G28",
    question: "Why was a submission refused or rejected, and what can the user change?",
    decision:
      "Each reason has a code of a closed list, the JSON Pointer of a field or null, and our own " +
      "message. final says that another submission is pointless. A 422 has the reasons as errors, with " +
      "the code as the rule. The result and the history have reasons and final for a refusal and for " +
      "REJECTED only, and each history entry has its code. The adapter maps the provider's codes and " +
      "fields; its text never passes. An unknown reason is OTHER and counted; more than ten are cut. " +
      "Reasons that only compliance may know are stored with the history, where the service's role " +
      "cannot read them. If there are no others, the answer looks as if the provider had given none.",
    reason:
      "The user has to know what to change. The provider's text may contain personal data, or what the " +
      "user must not learn.",
    seam:
      "packages/domain/src/kyc/reasons.ts; packages/provider/src/cardbridge/reason-codes.ts, " +
      "packages/provider/src/cardbridge/kyc-reasons.ts",
    state: "built",
  },
  {
    id: "G29",
    question: "How can a platform know what a submission needs before it sends one?",
    decision:
      "By two extensions of ours, which write and send nothing. POST /openapi/v1/users/kyc/validate judges a body: " +
      "every violation, whether the user is a Hong Kong user (G9), the fields that are ignored (G21), and whether a " +
      "submission would be a new record, a replay or a conflict, with its code. It takes an Idempotency-Key as a " +
      "submission does, and it never disagrees with a submission in the same state; the provider may still refuse a " +
      "new record. A call that is invalid itself is 400 with the violations of its body as well. " +
      "GET /openapi/v1/users/kyc/requirements lists the fields with their limits for what is known of the user; a " +
      "field that depends on more is conditional, and names the rules that decide on it.",
    reason: "Platforms build forms from them.",
    seam:
      "packages/domain/src/kyc/validation.ts, packages/domain/src/kyc/describe-requirements.ts; " +
      "packages/operations/src/kyc/validate.ts, packages/store/src/kyc/preview.ts. Limits of a provider are further " +
      "rules in packages/domain/src/kyc/rules.ts.",
    state: "built",
  },
  {
    id: "G30",
    question: "What does an empty supportingDocuments mean?",
    decision:
      "The same as none: it is accepted from Hong Kong users (G9), and is the violation " +
      "supporting-documents-required for others.",
    reason: "The interface asks for 1 to 10 items when they are required.",
    seam: "packages/domain/src/kyc/submission.ts, packages/domain/src/kyc/rules.ts",
    state: "built",
  },
  {
    id: "G31",
    question: "How is one card read, and whose is it?",
    decision:
      "GET /openapi/v1/cards/{cardId} answers with the record of the list. The provider names the card's " +
      "user. If the caller's platform has no such user, the answer is the 404 CARD_NOT_FOUND of a card " +
      "that does not exist. A cardId in a path has the characters that need no escaping or may be " +
      "escaped; a card with any other id is only in the list.",
    reason: "The interface refers to a card-details operation that it does not show.",
    seam:
      "packages/operations/src/cards/get.ts; packages/domain/src/cards/card-id.ts; " +
      "packages/provider/src/cardbridge/card-find.ts",
    state: "built",
  },
  {
    id: "G32",
    question: "How does a platform hear of a decision that comes after the response?",
    decision:
      "By webhooks in the form of Standard Webhooks 1.0.0. A platform has up to 10 endpoints under " +
      "/openapi/v1/webhooks (scopes webhooks:read and webhooks:write). kyc.updated tells of every change of a KYC " +
      "record, card.updated of a change of a card that the provider tells us of, and webhook.test is sent on request. " +
      "An event has ids, statuses and codes, and no personal data. The transaction of the change writes the event, so " +
      "none is lost and none is invented. An event is delivered at least once, with the same webhook-id at every " +
      "attempt, and in order per record while the endpoint keeps up; its sequence tells of a late one. 2xx is success, " +
      "410 disables the endpoint, and anything else, also a redirect, fails the attempt. Ten attempts take some three " +
      "days; Retry-After is honoured up to a day. An endpoint whose attempts all fail for five days is disabled. Its " +
      "events are failed deliveries, which the platform can redeliver for 30 days. A secret is shown once; after a " +
      "rotation both sign for 24 hours, or for the hours that the call names (0 to 720). URLs are https, without " +
      "credentials and fragment. A development service accepts http to its own machine as well.",
    reason: "The interface shows no events, and a decision may take days. Polling stays possible.",
    seam:
      "packages/domain/src/webhooks; packages/operations/src/webhooks; Policies.webhookUrls. A new type of event is an " +
      "entry of packages/domain/src/webhooks/events.ts.",
    state: "built",
  },
  {
    id: "G33",
    question: "What is the total of a list that the provider does not count?",
    decision:
      "An adapter whose provider says only whether there are more pages reads all of them, up to 20 per call. It " +
      "filters, sorts (G7) and counts them, so the page has the fields of section 2.2. A user with more pages gets the " +
      "error CARD_LIST_TOO_LONG (502), never a wrong total.",
    reason: "Section 2.2 shows a paginated structure, and a page without an order or a total is of no use.",
    seam: "packages/provider/src/pages/counted-slice.ts",
    state: "built",
  },
  {
    id: "G34",
    question: "What happens to what the provider cannot carry?",
    decision:
      "The adapter declares it as data. A value, a country, a length, a file or an optional field that the provider " +
      "does not take is a violation (provider-limit, provider-file, provider-field) before anything is stored. A " +
      "required field without a place at the provider is accepted and stored: kyc.requirements says in notForwarded " +
      "what the provider does not get of a field, and kyc.validate lists such fields in notForwarded. The pages under " +
      "docs/providers have a table of every field.",
    reason: "Providers differ, and nothing is dropped silently.",
    seam:
      "ProviderCapabilities in packages/domain/src/kyc/capabilities.ts, declared by the adapter; " +
      "packages/domain/src/kyc/capability-rules.ts; kycRules in packages/domain/src/kyc/rules.ts",
    state: "built",
  },
  {
    id: "G35",
    question: "Which decision is later if the provider counts none?",
    decision:
      "The provider's time of the decision is its revision, in milliseconds. Without a time, the answer to the attempt " +
      "that owns the record is the latest, because attempts follow one another. An event without an order is a reason " +
      "to ask: the record is due now. While an attempt runs, the event gets 503, so that the provider sends it again.",
    reason: "Events arrive late, repeatedly and in any order.",
    seam: "applyVerdict in packages/domain/src/kyc/record.ts; packages/operations/src/kyc/ask-now.ts",
    state: "built",
  },
];
