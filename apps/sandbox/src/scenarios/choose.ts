import type { Submission } from "../wire.ts";
import { reasonsFor } from "./reasons.ts";
import { fetchTag, finalTag, onceTag, type Scenario, scenarios, usualScenario } from "./table.ts";

const byTag = new Map(scenarios.map((scenario) => [scenario.id, scenario]));

/**
 * The scenario for an applicant's e-mail address: that of the last tag that does not combine, or else of the last tag.
 * Without a known tag, it is the usual scenario.
 */
export function scenarioOf(email: string): Scenario {
  const tags = tagsOf(email);
  const why = tags.includes(onceTag) ? onceTag : tags.findLast(isWhy);
  const tag = tags.findLast((other) => !combines(other)) ?? why ?? tags.at(-1);
  return byTag.get(tag ?? "") ?? usualScenario;
}

/** Whether an applicant's e-mail address carries the tag `fetch`. */
export function hasFetchTag(email: string): boolean {
  return tagsOf(email).includes(fetchTag);
}

/** Whether only the first submission of this applicant is refused. */
export function hasOnceTag(email: string): boolean {
  return tagsOf(email).includes(onceTag);
}

/** What happens to the first answer to a document request. Absent without a tag: it is accepted. */
export function firstAnswerOf(email: string): Scenario["firstAnswer"] {
  return tagsOf(email)
    .map((tag) => byTag.get(tag)?.firstAnswer)
    .findLast(Boolean);
}

/** Why a submission is refused or rejected, in the format of the contract. Absent without a tag. */
export function whyOf(request: Submission): { reasons?: readonly unknown[]; final?: true } {
  const tags = tagsOf(request.applicant.email);
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

function tagsOf(email: string): string[] {
  const [, ...tags] = email.slice(0, email.lastIndexOf("@")).toLowerCase().split("+");
  return tags;
}
