import { demoPlatforms } from "@cardbridge/api/demo";
import { variables } from "@cardbridge/api/variables";
import { unifiedStatus } from "@cardbridge/domain";
import { scenarios } from "@cardbridge/sandbox";
import { code, codes, tableOf } from "./rows.ts";

type Scenario = (typeof scenarios)[number];
type Step = Exclude<Scenario["review"], "refused">[number];

const hasReasons = ({ reasons }: Scenario) => reasons !== undefined;
/** Tags whose effect only the service sees: it gets the events of the provider twice, for example. */
const isInternal = ({ id, mismatched, events, firstAnswer }: Scenario) =>
  mismatched || events || id === "fetch" || firstAnswer?.startsWith("timeout-");

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

/** How long a submission waits for a provider that does not respond, in seconds. */
const deadline = variables.shape.PROVIDER_KYC_TIMEOUT_MS.parse(undefined) / 1_000;
const isTimeout = ({ outcome }: NonNullable<Scenario["firstAttempt"]>) => outcome.startsWith("timeout-");

function responseOf({ id, review, firstAttempt, firstAnswer, slow }: Scenario): string {
  if (id === "once") return "422 `KYC_REFUSED` for the first submission of a user";
  if (id === "renewal") return "as with the tags before it";
  if (review === "refused") return "422 `KYC_REFUSED`";
  if (firstAttempt)
    return `202 \`KYC_ACCEPTED\`, \`PENDING\`${isTimeout(firstAttempt) ? `, after ${deadline} s` : ""}`;
  if (firstAnswer) return "as with the other tags";
  const [first] = review;
  return `200 \`KYC_SUBMITTED\`, ${first ? stateOf(first) : ""}${slow ? ", after 3 s" : ""}`;
}

function changesOf({ id, review, laterReview, firstAttempt, firstAnswer, asks }: Scenario): string {
  if (id === "once") return "Later submissions follow the other tags. Combines with other tags.";
  if (id === "renewal")
    return "A renewal follows the tags after it, such as `name+approved+renewal+rejected`.";
  if (id === "final") return "`final` is true. Combines with other tags.";
  if (firstAnswer) return "The first answer to a request is refused. Combines with other tags.";
  if (review === "refused") return "";
  if (asks) {
    const after =
      asks.approvedAfterMs === null
        ? ""
        : `, then ${approved} ${asks.approvedAfterMs / 1_000} s after the answer`;
    return `A request for a \`${asks.documentType}\`${after}`;
  }
  if (laterReview) return `Another body of the user: ${laterReview.map(stateOf).join(", then ")}`;
  const steps = review.slice(firstAttempt ? 0 : 1);
  const changes = steps.map(
    (step) => `${stateOf(step)}${step.afterMs ? ` after ${step.afterMs / 1_000} s` : ""}`,
  );
  const fault = firstAttempt && (firstAttempt.executes ? executed : notExecuted);
  return [fault, changes.join(", then ")].filter(Boolean).join(" ");
}

const approved = stateOf({ afterMs: 0, status: "approved", opensAccount: true });
// The delays of `planRetry`, with up to 1 s of the worker for each: 0.5 to 1 s, 1 to 2 s, and 2 to 4 s.
const executed =
  "The provider has the submission, and its answer is lost; the service asks for it within 2 s.";
const notExecuted =
  "The provider does not have the submission; the service asks twice, and sends it again 4 to 10 s later.";

function stateOf({ status: subStatus, opensAccount }: Step): string {
  const status = unifiedStatus({ subStatus });
  const words = status === null ? `\`status\` null, \`subStatus\` \`${subStatus}\`` : `\`${status}\``;
  return opensAccount ? `${words} with a card` : words;
}
