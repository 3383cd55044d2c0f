import type { Page } from "playwright-core";

/** One call of each kind of act, in the order of the reports. */
const calls = [
  ["records.search", "query"],
  ["records.assign", "mutation"],
  ["users.find", "query"],
  ["records.submission", "mutation"],
  ["records.resolve", "mutation"],
  ["users.erase", "mutation"],
  ["proposals.list", "query"],
  ["webhooks.searchDeliveries", "query"],
  ["pauses.pauseProvider", "mutation"],
  ["audit.list", "query"],
  ["keys.create", "mutation"],
  ["persons.block", "mutation"],
] as const;

/** The calls that the console refuses to the signed-in person because of the role, by an input that changes nothing. */
export function refusedOf(page: Page): Promise<string[]> {
  return page.evaluate(async (names) => {
    const refused: string[] = [];
    for (const [name] of names) {
      const response = await fetch(`/api/trpc/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-cardbridge-console": "1" },
        body: "{}",
      });
      if (response.status === 403) refused.push(name);
    }
    return refused;
  }, calls);
}
