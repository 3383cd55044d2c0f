import { fetchTag, type Scenario, scenarios, usualScenario } from "./table.ts";

/**
 * The scenario for an applicant's e-mail address. The last tag other than `fetch` chooses it. Without a known tag it
 * is the usual scenario.
 */
export function scenarioOf(email: string): Scenario {
  const tags = tagsOf(email);
  const tag = tags.findLast((other) => other !== fetchTag) ?? tags.at(-1);
  return scenarios.find(({ id }) => id === tag) ?? usualScenario;
}

/** Whether an applicant's e-mail address carries the tag `fetch`. */
export function hasFetchTag(email: string): boolean {
  return tagsOf(email).includes(fetchTag);
}

function tagsOf(email: string): string[] {
  const [, ...tags] = email.slice(0, email.lastIndexOf("@")).toLowerCase().split("+");
  return tags;
}
