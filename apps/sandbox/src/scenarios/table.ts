import type { Asked } from "./asked.ts";
import { reasonTags } from "./reasons.ts";

/** One decision in the review of a submission. */
export interface ReviewStep {
  /** Milliseconds after the submission is received. */
  readonly afterMs: number;
  readonly status: string;
  /** Whether the step opens a card account, which also issues a card. */
  readonly opensAccount: boolean;
}

/** The effect of the first answer to a document request. */
type FirstAnswer = "refused" | "timeout-after-effect" | "timeout-before-effect";

type InjectedFault = "error-500" | "garbage" | "timeout-after-effect" | "timeout-before-effect";

export interface Scenario {
  /** The tag in the applicant's e-mail address: `name+id@example.com`. */
  readonly id: string;
  /** The behaviour, as `GET /_scenarios` publishes it. */
  readonly description: string;
  readonly review: "refused" | readonly ReviewStep[];
  /** The review after the user's first executed submission. Default: `review`. */
  readonly laterReview?: readonly ReviewStep[];
  /** The document that the provider asks for at once. */
  readonly asks?: Asked;
  readonly firstAnswer?: FirstAnswer;
  /** The fault of the first PUT of a reference, and whether that PUT still executes. */
  readonly firstAttempt?: { readonly outcome: InjectedFault; readonly executes: boolean };
  /** Why a submission is refused or rejected. */
  readonly reasons?: readonly unknown[];
  readonly slow?: true;
  readonly mismatched?: true;
  /** How events are sent. By default each event is sent once, in the order of the review. */
  readonly events?: "twice" | "latest-first";
}

const pending = { afterMs: 0, status: "pending_approval", opensAccount: false };
const usual = [pending, { afterMs: 5_000, status: "approved", opensAccount: true }];
const always = (status: string, opensAccount = false) => [{ afterMs: 0, status, opensAccount }];

export const usualScenario: Scenario = {
  id: "none",
  description:
    "No tag or an unknown tag: pending_approval immediately, approved with an account and a card after 5 s.",
  review: usual,
};

export const fetchTag = "fetch";
export const finalTag = "final";
export const onceTag = "once";
export const renewalTag = "renewal";

/** All scenarios. The usual scenario is the first. */
export const scenarios: readonly Scenario[] = [
  usualScenario,
  {
    id: "approved",
    description: "Approved immediately, with an account and a card.",
    review: always("approved", true),
  },
  { id: "rejected", description: "Rejected immediately.", review: always("rejected") },
  { id: "pending", description: "Stays pending_approval.", review: [pending] },
  { id: "not-submitted", description: "Stays not_submitted.", review: always("not_submitted") },
  {
    id: "no-account",
    description: "Approved immediately, without an account or a card.",
    review: always("approved"),
  },
  {
    id: "new-status",
    description: "Stays manual_review, a status that the contract does not name.",
    review: always("manual_review"),
  },
  { id: "refused", description: "Every PUT returns 422 kyc_refused; nothing executes.", review: "refused" },
  {
    id: "slow",
    description: "Every PUT responds after 3 s; otherwise the usual scenario.",
    review: usual,
    slow: true,
  },
  {
    id: "error-500",
    description: "The first PUT returns 500 and does not execute; later PUTs are usual.",
    review: usual,
    firstAttempt: { outcome: "error-500", executes: false },
  },
  {
    id: "garbage",
    description: "The first PUT executes and returns 200 with an HTML page; later PUTs are usual.",
    review: usual,
    firstAttempt: { outcome: "garbage", executes: true },
  },
  {
    id: "timeout-after-effect",
    description: "The first PUT executes and never responds; later PUTs are usual.",
    review: usual,
    firstAttempt: { outcome: "timeout-after-effect", executes: true },
  },
  {
    id: "timeout-before-effect",
    description: "The first PUT does not execute and never responds; later PUTs are usual.",
    review: usual,
    firstAttempt: { outcome: "timeout-before-effect", executes: false },
  },
  {
    id: "mismatched",
    description: "Usual, but every response and event names another reference and another user.",
    review: usual,
    mismatched: true,
  },
  { id: "duplicate", description: "Usual, but every event is sent twice.", review: usual, events: "twice" },
  {
    id: "reorder",
    description: "Usual, but the event of the approval is sent before the event of pending_approval.",
    review: usual,
    events: "latest-first",
  },
  {
    id: "revoked",
    description: "Approved immediately, with an account and a card; rejected after 3 s, and the card stays.",
    review: [
      { afterMs: 0, status: "approved", opensAccount: true },
      { afterMs: 3_000, status: "rejected", opensAccount: false },
    ],
  },
  {
    id: "rejected-once",
    description: "The user's first submission is rejected immediately, later ones are approved immediately.",
    review: always("rejected"),
    laterReview: always("approved", true),
  },
  {
    id: "asks-bank-statement",
    description: "Stays pending_approval with a request for a BANK_STATEMENT; approved 2 s after the answer.",
    review: [pending],
    asks: {
      documentType: "BANK_STATEMENT",
      reason: "supporting_document_missing",
      approvedAfterMs: 2_000,
    },
  },
  {
    id: "asks-selfie",
    description: "Stays pending_approval with a request for a SELFIE; approved 2 s after the answer.",
    review: [pending],
    asks: { documentType: "SELFIE", reason: "selfie_unreadable", approvedAfterMs: 2_000 },
  },
  {
    id: "answer-refused",
    description:
      "The first answer to a request returns 422 answer_refused; combines: name+asks-selfie+answer-refused.",
    review: usual,
    firstAnswer: "refused",
  },
  {
    id: "answer-timeout",
    description: "The first answer to a request takes effect and never responds; combines.",
    review: usual,
    firstAnswer: "timeout-after-effect",
  },
  {
    id: "answer-lost",
    description: "The first answer to a request takes no effect and never responds; combines.",
    review: usual,
    firstAnswer: "timeout-before-effect",
  },
  {
    id: fetchTag,
    description: "Usual, but every file is fetched; combines with another tag: name+fetch+approved.",
    review: usual,
  },
  ...reasonTags.map((tag) => ({ ...tag, review: "refused" as const })),
  {
    id: finalTag,
    description: "Refused, and another submission will not help; combines: name+rejected+final.",
    review: "refused",
  },
  {
    id: onceTag,
    description:
      "The user's first submission is refused, later ones are usual; combines: name+name-mismatch+once+approved.",
    review: usual,
  },
  {
    id: renewalTag,
    description: "Separates the tags of renewals, which follow it: name+approved+renewal+rejected.",
    review: usual,
  },
];
