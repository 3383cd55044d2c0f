import type { Submission } from "../wire.ts";
import { reasonsFor } from "./reasons.ts";
import { fetchTag, finalTag, onceTag, renewalTag, type Scenario, scenarios, usualScenario } from "./table.ts";

const byTag = new Map(scenarios.map((scenario) => [scenario.id, scenario]));

/**
 * The scenario of a submission: that of the last tag that does not combine, or else of the last tag. Without a known
 * tag, it is the usual scenario.
 */
export function scenarioOf(request: Submission): Scenario {
  const tags = tagsOf(request);
  const why = tags.includes(onceTag) ? onceTag : tags.findLast(isWhy);
  const tag = tags.findLast((other) => !combines(other)) ?? why ?? tags.at(-1);
  return byTag.get(tag ?? "") ?? usualScenario;
}

/** Whether every file of a submission is fetched. */
export function hasFetchTag(request: Submission): boolean {
  return tagsOf(request).includes(fetchTag);
}

/** Whether only the first submission of this applicant is refused. */
export function hasOnceTag(request: Submission): boolean {
  return tagsOf(request).includes(onceTag);
}

/** What happens to the first answer to a document request. Absent without a tag: it is accepted. */
export function firstAnswerOf(request: Submission): Scenario["firstAnswer"] {
  return tagsOf(request)
    .map((tag) => byTag.get(tag)?.firstAnswer)
    .findLast(Boolean);
}

/** Why a submission is refused or rejected, in the format of the contract. Absent without a tag. */
export function whyOf(request: Submission): { reasons?: readonly unknown[]; final?: true } {
  const tags = tagsOf(request);
  const reasons = tags.flatMap((tag) => reasonsFor(byTag.get(tag)?.reasons ?? [], request));
  return { ...(reasons.length > 0 && { reasons }), ...(tags.includes(finalTag) && { final: true }) };
}

/** Whether a tag adds to the scenario of another tag. */
function combines(tag: string): boolean {
  return tag === fetchTag || tag === onceTag || isWhy(tag) || byTag.get(tag)?.firstAnswer !== undefined;
}

function isWhy(tag: string): boolean {
  return tag === finalTag || byTag.get(tag)?.reasons !== undefined;
}

/** The tags in the applicant's e-mail address. The tag `renewal` separates those of renewals, which follow it. */
function tagsOf({ applicant: { email }, renews }: Submission): string[] {
  const [, ...tags] = email.slice(0, email.lastIndexOf("@")).toLowerCase().split("+");
  const separator = tags.indexOf(renewalTag);
  if (separator < 0) return tags;
  return renews === undefined ? tags.slice(0, separator) : tags.slice(separator + 1);
}
