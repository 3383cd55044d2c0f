import { demoPlatforms } from "@cardbridge/api/demo";
import { unifiedStatus } from "@cardbridge/domain";
import { scenarios } from "@cardbridge/sandbox";
import { code, codes, tableOf } from "./rows.ts";

type Scenario = (typeof scenarios)[number];
type Step = Exclude<Scenario["review"], "refused">[number];

const hasReasons = ({ reasons }: Scenario) => reasons !== undefined;
/** Tags whose effect only the service sees: it gets the events of the provider twice, for example. */
const isInternal = ({ id, mismatched, events }: Scenario) => mismatched || events || id === "fetch";

/** A row of each tag: the response to the submission, and how the record changes. */
export function sandboxTags(): string {
  const shown = scenarios.filter((scenario) => !hasReasons(scenario) && !isInternal(scenario));
  const rows = shown.map((scenario) => [
    scenario.id === "none" ? "no tag" : code(scenario.id),
    responseOf(scenario),
    changesOf(scenario),
  ]);
  return tableOf(["Tag", "Response to the submission", "Afterwards"], rows);
}

/** The tags of reasons, separated by commas. */
export function sandboxReasons(): string {
  return codes(scenarios.filter(hasReasons).map(({ id }) => id));
}

/** A row of each platform of the demo data, with its key. */
export function demoKeys(): string {
  return tableOf(
    ["Platform", "API key, with every scope of platforms"],
    demoPlatforms.map(({ name, key }) => [name, code(key)]),
  );
}

/** A row of each user of the demo data, with the number of cards of each status. */
export function demoUsers(): string {
  const rows = demoPlatforms.flatMap(({ name, users }) =>
    users.map(({ memberId, email, cards }) => [name, code(memberId), email, countsOf(cards)]),
  );
  return tableOf(["Platform", "`memberId`", "`email`", "Cards"], rows);
}

function countsOf(cards: readonly { status: string }[]): string {
  const groups = Map.groupBy(cards, ({ status }) => status);
  return [...groups].map(([status, { length }]) => `${length} \`${status}\``).join(", ") || "none";
}

function responseOf({ id, review, firstAttempt, firstAnswer, laterReview, slow }: Scenario): string {
  if (firstAnswer) return "as without it";
  if (id === "once") return "422 `KYC_REFUSED` for the first submission of a user";
  if (review === "refused") return "422 `KYC_REFUSED`";
  if (firstAttempt)
    return `202 \`KYC_ACCEPTED\`, \`PENDING\`${isTimeout(firstAttempt) ? ", after 10 s" : ""}`;
  const [first] = review;
  const when = slow ? ", after 3 s" : laterReview ? " for the first submission of a user" : "";
  return `200 \`KYC_SUBMITTED\`, ${first ? stateOf(first) : ""}${when}`;
}

function changesOf({ id, review, firstAttempt, firstAnswer, laterReview, asks }: Scenario): string {
  if (firstAnswer) return `${answers[firstAnswer]} Combines with \`asks-…\`.`;
  if (laterReview?.[0]) return `Later submissions are ${stateOf(laterReview[0])}.`;
  if (asks)
    return `Has a request for a \`${asks.documentType}\`. \`APPROVED\` with a card 2 s after its answer`;
  if (id === "once") return "Later submissions follow the other tags. Combines with other tags.";
  if (id === "final") return "`final` is true. Combines with other tags.";
  if (review === "refused") return "";
  const steps = review.slice(firstAttempt ? 0 : 1);
  const changes = steps.map(
    (step) => `${stateOf(step)}${step.afterMs ? ` after ${step.afterMs / 1_000} s` : ""}`,
  );
  const fault = firstAttempt && faults[firstAttempt.outcome];
  return [fault, changes.join(", then ")].filter(Boolean).join(" ");
}

/**
 * The times follow from the deadline of a submission, and from the delays of `planRetry` with up to 1 s of the worker: it
 * asks after 0.5 to 1 s, again after 1 to 2 s, and sends what the provider does not have after 2 to 4 s more.
 */
const faults = {
  garbage: "The provider has the submission, and its answer is lost. The service asks for it 1 to 2 s later.",
  "error-500":
    "The provider does not have the submission; the service asks twice and sends it again 4 to 10 s later.",
  "timeout-after-effect":
    "The provider has the submission, and never answers. The service asks 1 to 2 s after the response, but events arrive before.",
  "timeout-before-effect":
    "The provider does not have the submission, and never answers. The service asks twice and sends it again 4 to 10 s after the " +
    "response.",
};

const isTimeout = ({ outcome }: { outcome: string }) => outcome.startsWith("timeout");

const answers = {
  refused:
    "The provider refuses the first answer to a request as `DOCUMENT_UNREADABLE`; the request stays open.",
  "timeout-after-effect":
    "The provider has the first answer to a request, and never responds. The service asks after 10 s.",
  "timeout-before-effect":
    "The provider loses the first answer to a request, and never responds. The service asks after 10 s, and sends it again.",
};

function stateOf({ status: subStatus, opensAccount }: Step): string {
  const status = unifiedStatus({ subStatus });
  const words = status === null ? `\`status\` null, \`subStatus\` \`${subStatus}\`` : `\`${status}\``;
  return opensAccount ? `${words} with a card` : words;
}
