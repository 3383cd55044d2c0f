/** A turn of a submission's review, `afterMs` milliseconds after its reception. */
export interface Turn {
  readonly afterMs: number;
  readonly status: string;
  /** Whether the turn opens a card account, and with it issues a card. */
  readonly opensAccount: boolean;
}

type SpoiledOutcome = "error-500" | "garbage" | "timeout-after-effect" | "timeout-before-effect";

export interface Scenario {
  /** The tag that chooses it in the applicant's e-mail: `name+id@example.com`. */
  readonly id: string;
  readonly sentence: string;
  readonly review: "refused" | readonly Turn[];
  /** What goes wrong with the first PUT of a reference, and whether it executes all the same. */
  readonly firstAttempt?: { readonly outcome: SpoiledOutcome; readonly executes: boolean };
  readonly slow?: true;
  readonly foreign?: true;
  /** How its events are sent; otherwise once each, in the order of the turns. */
  readonly events?: "twice" | "latest-first";
}

const pending = { afterMs: 0, status: "pending_approval", opensAccount: false };
const usual = [pending, { afterMs: 5_000, status: "approved", opensAccount: true }];
const always = (status: string, opensAccount = false) => [{ afterMs: 0, status, opensAccount }];

const usualScenario: Scenario = {
  id: "none",
  sentence:
    "No tag or an unknown one: pending_approval at once, approved with an account and a card after 5 s.",
  review: usual,
};

const fetchTag = "fetch";

/** Every scenario, the usual one first. */
export const scenarios: readonly Scenario[] = [
  usualScenario,
  {
    id: "approved",
    sentence: "Approved at once, with an account and a card.",
    review: always("approved", true),
  },
  { id: "rejected", sentence: "Rejected at once.", review: always("rejected") },
  { id: "pending", sentence: "pending_approval for ever.", review: [pending] },
  { id: "not-submitted", sentence: "not_submitted for ever.", review: always("not_submitted") },
  {
    id: "no-account",
    sentence: "Approved at once, without an account or a card.",
    review: always("approved"),
  },
  {
    id: "new-status",
    sentence: "manual_review for ever: a status that the contract does not name.",
    review: always("manual_review"),
  },
  { id: "refused", sentence: "422 kyc_refused every time; nothing is executed.", review: "refused" },
  { id: "slow", sentence: "Every PUT is answered after 3 s; otherwise as usual.", review: usual, slow: true },
  {
    id: "error-500",
    sentence: "The first PUT executes nothing and answers 500; later ones are as usual.",
    review: usual,
    firstAttempt: { outcome: "error-500", executes: false },
  },
  {
    id: "garbage",
    sentence: "The first PUT executes and answers 200 with an HTML page; later ones are as usual.",
    review: usual,
    firstAttempt: { outcome: "garbage", executes: true },
  },
  {
    id: "timeout-after-effect",
    sentence: "The first PUT executes and is never answered; later ones are as usual.",
    review: usual,
    firstAttempt: { outcome: "timeout-after-effect", executes: true },
  },
  {
    id: "timeout-before-effect",
    sentence: "The first PUT executes nothing and is never answered; later ones are as usual.",
    review: usual,
    firstAttempt: { outcome: "timeout-before-effect", executes: false },
  },
  {
    id: "foreign",
    sentence: "As usual, but every answer and event about it names another reference and another user.",
    review: usual,
    foreign: true,
  },
  { id: "duplicate", sentence: "As usual, but every event is sent twice.", review: usual, events: "twice" },
  {
    id: "reorder",
    sentence: "As usual, but the event of the approval is sent first, the one of pending_approval after it.",
    review: usual,
    events: "latest-first",
  },
  {
    id: "revoked",
    sentence: "Approved at once, with an account and a card; rejected after 3 s, and the card stays.",
    review: [
      { afterMs: 0, status: "approved", opensAccount: true },
      { afterMs: 3_000, status: "rejected", opensAccount: false },
    ],
  },
  {
    id: fetchTag,
    sentence: "As usual, but every file is fetched; also beside another tag: name+fetch+approved.",
    review: usual,
  },
];

/** The scenario that an applicant's e-mail asks for by its last tag but `fetch`; the usual one without a known tag. */
export function scenarioOf(email: string): Scenario {
  const tags = tagsOf(email);
  const tag = tags.findLast((other) => other !== fetchTag) ?? tags.at(-1);
  return scenarios.find(({ id }) => id === tag) ?? usualScenario;
}

/** Whether an applicant's e-mail asks for every file to be fetched. */
export function fetchesAll(email: string): boolean {
  return tagsOf(email).includes(fetchTag);
}

function tagsOf(email: string): string[] {
  const [, ...tags] = email.slice(0, email.lastIndexOf("@")).toLowerCase().split("+");
  return tags;
}
