/**
 * The gap register: every question that the interface leaves open, our answer, and the seam through which
 * the answer can be changed. Nothing that the interface leaves open is decided anywhere else.
 * docs/gaps.md is made from this list.
 */
export interface Gap {
  id: `G${number}`;
  /** What the interface does not show. */
  question: string;
  /** What we do: our decision, not the interface's. */
  decision: string;
  reason: string;
  /** Where the decision lives, and what one changes to decide otherwise. */
  seam: string;
  /** `planned`: decided, and not built yet. */
  state: "built" | "planned";
}

export const gaps: readonly Gap[] = [
  {
    id: "G1",
    question: "Is there an envelope around the response data?",
    decision: "No. The JSON body is the response data itself.",
    reason: "The interface documents nothing around it.",
    seam: "apps/api/src/rest/app.ts renders the operation's output as it is.",
    state: "built",
  },
  {
    id: "G2",
    question: "What does an error look like?",
    decision:
      "RFC 9457 application/problem+json with success: false, code, message, errors (path, rule, message), requestId and, " +
      "where there is one, kycRecordId. A value that the caller sent is never repeated. tRPC carries the same body in " +
      "error.data.problem, and each failed call of a batch its own; the requestId names the request. Every answer names itself in x-request-id.",
    reason:
      "success, code and message are the interface's words for a platform result; the rest is the standard.",
    seam: "apps/api/src/problem.ts",
    state: "built",
  },
  {
    id: "G3",
    question: "Which codes and HTTP statuses are there?",
    decision:
      "A closed catalogue of codes, each with one HTTP status and one tRPC code. All violations of a request are one 400. " +
      "Provider trouble on a read is 504 (deadline), 503 with Retry-After (unavailable) or 502 (an unusable answer).",
    reason: "The conventions of HTTP.",
    seam: "packages/domain/src/errors.ts (codes and messages), apps/api/src/errors.ts (statuses).",
    state: "built",
  },
  {
    id: "G4",
    question: "What if the list is given both identifiers, or neither?",
    decision:
      "400 with the rule exactly-one-identifier. A repeated parameter and an empty value are 400 as well; unknown " +
      "parameters are ignored.",
    reason: "Picking one silently would hide a caller's mistake and could show the wrong user's cards.",
    seam: "exactlyOneIdentifier in packages/domain/src/identity.ts, apps/api/src/http/read-query.ts",
    state: "built",
  },
  {
    id: "G5",
    question: "What are the pagination fields beside items?",
    decision: "page, pageSize, total and totalPages.",
    reason: "They repeat the request's own words.",
    seam: "packages/domain/src/pagination.ts",
    state: "built",
  },
  {
    id: "G6",
    question: "What are the bounds of page, pageSize and status?",
    decision:
      "page 1 to 10000, pageSize 1 to 100, written as plain digits in a query and as JSON numbers in tRPC; out of bounds is " +
      "400. A page past the end is 200 without items. A status filter has 1 to 64 characters.",
    reason: "Comparable card interfaces cap a page at 100 items.",
    seam: "packages/domain/src/pagination.ts, packages/domain/src/open-enum.ts",
    state: "built",
  },
  {
    id: "G7",
    question: "In which order are cards listed?",
    decision: "Newest first, cards of the same moment by cardId. The provider is asked for that order.",
    reason: "Paging is only stable over a total order.",
    seam: "The sort parameter in docs/provider-contract.md; the provider's conformance suite checks it.",
    state: "built",
  },
  {
    id: "G8",
    question: "Which fields does a card record have?",
    decision:
      "cardId and status always; memberId, cardAccountId, type, network, last4, expiryMonth, expiryYear, nameOnCard, " +
      "currency and createdAt, each of which may be null. A malformed value becomes null and is counted, and so does a full " +
      "card number where something else belongs; in cardId or status it makes the answer unusable (G3). Whatever else the " +
      "provider sends is dropped.",
    reason:
      "What card issuers commonly show without touching a full card number or a CVV; an allow-list cannot leak one.",
    seam: "packages/domain/src/cards/card.ts, packages/provider/src/card-number.ts",
    state: "built",
  },
  {
    id: "G9",
    question: "Who is a Hong Kong user, for whom supportingDocuments are optional?",
    decision:
      "Whoever's documentCountry is HK. Also at hand: nationality, either, or a predicate of your own.",
    reason: "A Hong Kong identity document shows residence; residents hold many nationalities.",
    seam: "Policies.hongKong, POLICY_HONG_KONG; packages/domain/src/kyc/hong-kong.ts",
    state: "built",
  },
  {
    id: "G10",
    question: "How does the provider's subStatus become the unified status?",
    decision:
      "not_submitted is PENDING, pending_approval is PENDING_APPROVAL, approved is APPROVED, rejected is REJECTED. An " +
      "unknown value passes as subStatus, is counted, and leaves the status at the last one that was mapped; null before the first. " +
      "One that holds a full card number is no answer: the outcome stays unknown (G14).",
    reason: "The interface allows null and asks everyone to tolerate new values; a card number is no status.",
    seam: "packages/domain/src/kyc/status.ts, applyVerdict in packages/domain/src/kyc/record.ts, packages/provider/src/wire.ts",
    state: "built",
  },
  {
    id: "G11",
    question: "What is externalUserId?",
    decision:
      "A random id, minted at a user's first submission, sent to the provider as its reference to the user and never " +
      "changed; after an erasure (G26) the same names are another user. It derives from neither the member id nor the e-mail.",
    reason: "It may not be null, and the member id may not be forwarded.",
    seam: "apps/api/src/ids.ts",
    state: "built",
  },
  {
    id: "G12",
    question: "What is kycRecordId?",
    decision:
      "A time-ordered id with a prefix, minted before the provider is called, and the provider's idempotency reference.",
    reason: "An answer that was lost can be looked up.",
    seam: "apps/api/src/ids.ts",
    state: "built",
  },
  {
    id: "G13",
    question: "Which values have code and message of a KYC result?",
    decision: "KYC_SUBMITTED, KYC_ACCEPTED and KYC_REFUSED, from the same catalogue as the errors.",
    reason: "One vocabulary.",
    seam: "packages/domain/src/errors.ts",
    state: "built",
  },
  {
    id: "G14",
    question: "What if the provider's answer to a submission is not known?",
    decision:
      "202 with the full result: success true, KYC_ACCEPTED, status PENDING, subStatus and cardAccountId null. The record is " +
      "kept and settled in the background: asked about first, sent again under the same reference only after repeated " +
      "not-found. What cannot be settled in time is held for people. 200 when the provider answered.",
    reason: "An error would invite a second submission of a live one.",
    seam: "apps/api/src/operations/settle-kyc.ts, packages/domain/src/kyc/result.ts",
    state: "built",
  },
  {
    id: "G15",
    question: "What if the provider refuses to take a submission?",
    decision:
      "422 KYC_REFUSED with kycRecordId, and the same for a repetition. A review that ends in rejected is no error: 200 with " +
      "status REJECTED. Should the provider approve or reject it after all, that replaces the refusal.",
    reason: "success says whether processing succeeded; a review's outcome is another matter.",
    seam: "apps/api/src/operations/submit-kyc.ts",
    state: "built",
  },
  {
    id: "G16",
    question: "What does a second submission of one user mean?",
    decision:
      "A body equal to the latest record's repeats that record's current result, with Idempotent-Replayed: true. Another " +
      "body is 409 KYC_ALREADY_SUBMITTED with the record's id. After REJECTED or a refusal another body, or the same under a " +
      "new Idempotency-Key, is a new record.",
    reason: "A caller may always retry safely, and nobody is verified twice at once.",
    seam: "Policies.resubmission; packages/domain/src/kyc/resubmission.ts",
    state: "built",
  },
  {
    id: "G17",
    question: "How do e-mail and memberId belong together?",
    decision:
      "On a platform each names one user. A submission that would tie an e-mail to a second memberId, or the reverse, is 409 " +
      "USER_IDENTITY_CONFLICT. E-mails compare without regard to case, also when bodies are compared (G16); identifiers are never trimmed; a submission keeps the " +
      "list's limits of 128 and 64 characters.",
    reason: "Both identify the user the same way, and every user who was submitted can be listed.",
    seam: "packages/domain/src/identity.ts, packages/store/src/kyc/claim.ts",
    state: "built",
  },
  {
    id: "G18",
    question: "What if the list's user is not known?",
    decision:
      "404 USER_NOT_FOUND, the same for nobody's user and another platform's. A user known here and not yet to the provider " +
      "has an empty list. A user who was found counts for a second more (LOOKUP_CACHE_SECONDS), though erased or renamed since.",
    reason: "No platform can find out about another's users.",
    seam: "apps/api/src/operations/list-cards.ts",
    state: "built",
  },
  {
    id: "G19",
    question: "How does a caller authenticate?",
    decision:
      "Authorization: Bearer with an API key, over REST and tRPC alike. A key (cb_live_…, cb_test_…) belongs to one platform, " +
      "has scopes and may expire; it is shown once, and only its hash is stored. A revoked or expired key is refused within a " +
      "second, in every process (LOOKUP_CACHE_SECONDS; 0 for the next call). Two live keys of a name are the most, so that one can follow the other. " +
      "Keys of internal apps (cb_int_…) name the platform of each call in X-Cardbridge-Platform: without it 400, for a platform " +
      "that there is not 404 PLATFORM_NOT_FOUND. A platform's key may name its own there; any other is 403 PLATFORM_FORBIDDEN, " +
      "whether there is one or not. The scope admin, to look after platforms, keys and users over tRPC, is for keys of internal " +
      "apps alone. Keys belong on servers: there is no CORS, and what a web page of another origin would change is 403 CROSS_ORIGIN.",
    reason: "Convention. No platform can find out which others there are; an internal app may know all.",
    seam: "apps/api/src/auth/",
    state: "built",
  },
  {
    id: "G20",
    question: "Is there an idempotency key?",
    decision:
      "An optional Idempotency-Key header of 1 to 255 visible ASCII characters, bare or quoted, a platform's and an " +
      "operation's own. The same key with the same body repeats the record's current result with Idempotent-Replayed: true; " +
      "with another body it is 422 IDEMPOTENCY_KEY_REUSED. Kept for 30 days at least; G16 protects for ever. The header names one " +
      "call of an operation that takes one, today kyc.submit: on any other it is 400, and so it is with a tRPC batch of several mutations. " +
      "Idempotent-Replayed is set where a request holds one call and is not streamed.",
    reason: "Convention. A header that is ignored promises what is not kept.",
    seam: "idempotent in an operation's declaration, apps/api/src/http/idempotency-key.ts, packages/store/src/kyc/claim.ts",
    state: "built",
  },
  {
    id: "G21",
    question: "Which formats do the fields have exactly?",
    decision:
      "One published pattern each: countries are two letters in either case, kept in capitals; calling codes + and 1 to 4 " +
      "digits; real calendar dates; absolute http(s) URLs up to 2048 characters, never fetched on the caller's word; free " +
      "text 1 to 256 characters (contactAddress 512), not only spaces, no control characters, kept trimmed. JSON bodies up to " +
      "64 KB and 32 levels, within 10 seconds; of a key that stands twice in one object the last counts. Unknown fields are ignored; a field of the wrong " +
      "type, null included, is 400. E-mail addresses are in ASCII, with a dot in the domain; hosts are names or IPv4 addresses.",
    reason: "The interface's rules, and the limits that any store needs.",
    seam: "packages/domain/src/formats.ts; Policies.fileOrigins, POLICY_FILE_ORIGINS",
    state: "built",
  },
  {
    id: "G22",
    question: "Are there rate limits?",
    decision:
      "A token bucket for each platform, one for reads and one for submissions, in each process: 6000 and 600 a minute unless " +
      "configured, none for the demo platforms. Beyond it 429 RATE_LIMITED with Retry-After, and nothing is read or done. Every " +
      "answer to a limited platform carries RateLimit and RateLimit-Policy as draft-ietf-httpapi-ratelimit-headers has them. " +
      "A tRPC batch counts as the calls that it names, also where it is refused as a whole; calls beyond the limit fail alone. " +
      "500 unknown keys in 10 seconds end in the same 429 for keys not seen before.",
    reason: "Convention. A limit that processes share would cost every call a round trip.",
    seam: "RATE_LIMIT_READS, RATE_LIMIT_SUBMISSIONS; apps/api/src/limits/, apps/api/src/auth/guard-look-ups.ts",
    state: "built",
  },
  {
    id: "G23",
    question: "What may change within a version?",
    decision:
      "/openapi/v1 only grows: new optional fields, new enum values, new codes. Anything else becomes /openapi/v2.",
    reason: "Clients are asked to tolerate new values, and nothing more.",
    seam: "basePath in apps/api/src/rest/routes.ts",
    state: "built",
  },
  {
    id: "G24",
    question: "How are images uploaded, cards shown in detail, KYC results read, events received?",
    decision:
      "As extensions of ours in the same style, marked as such in the OpenAPI document. Reading KYC results, " +
      "uploading (G27) and taking the provider's signed events are built; card details and events to platforms are planned.",
    reason: "Users cannot finish the job without them.",
    seam: "An operation with documented: false in apps/api/src/operations/",
    state: "planned",
  },
  {
    id: "G25",
    question: "Which rules does time bring?",
    decision:
      "A birthday after today, in the latest time zone, is refused. An expired document is accepted, unless the policy " +
      "documentExpiry is future. JSON Schema cannot say today, so the document says these in words.",
    reason: "Nobody is born tomorrow; the rest is the provider's judgement.",
    seam: "Policies.documentExpiry, POLICY_DOCUMENT_EXPIRY; packages/domain/src/kyc/rules.ts",
    state: "built",
  },
  {
    id: "G26",
    question: "What becomes of a user who is erased?",
    decision:
      "Once none of the user's records is unsettled, the personal data are destroyed; the ids and statuses of the records " +
      "stay and follow the provider. Until then an equal body still repeats its result (G16), and one that would make a " +
      "new record is 409 USER_ERASURE_PENDING. Afterwards the user is unknown (G18) under both names, a record can be read by " +
      "its id, and the same memberId makes a new user with a new externalUserId. The user's Idempotency-Keys are forgotten too (G20).",
    reason:
      "A record whose outcome is not known may have to be sent again; nothing new may begin behind an erasure.",
    seam: "packages/store/src/users/erasures.ts, packages/store/src/kyc/claim.ts; RETENTION_DAYS",
    state: "built",
  },
  {
    id: "G27",
    question: "What may be uploaded, who may open it, and how long is it there?",
    decision:
      "JPEG, PNG, WebP and, where the image library reads it, HEIC, by what the bytes say, up to 10 MB and 40 million pixels; PDF as a " +
      "supporting document. Images are kept re-encoded, PDFs as they are, and refused when encrypted, active or broken. A " +
      "file opens with a key of its platform (files:write or kyc:read), or for an hour with a signature that is made for the provider " +
      "at each attempt. In a submission a URL under our own address has to be the platform's own file, with the field's purpose, " +
      "not vanished, and not of another user's submission; equal bodies repeat their result whatever became of the files (G16). A file that no " +
      "submission uses within 24 hours vanishes; a used one lives as long as its user's data (G26). The same upload by the same platform, " +
      "while unused, is the same file. Internal apps may have an address made that takes uploads for ten minutes without a key, as long as their own key lives.",
    reason: "The interface refers to an upload that it does not show; without one nobody can finish a KYC.",
    seam: "packages/files, packages/store/src/files/, apps/api/src/files/; FILE_MAX_BYTES, FILES_AT_ONCE, FILES_DIR, FILES_S3_…, CLAMD_URL",
    state: "built",
  },
];
