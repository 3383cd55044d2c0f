import { findSections, indexOptions } from "@cardbridge/api/docs/search";
import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { collectPages } from "../src/collect-pages.ts";
import { searchFile } from "../src/output/search-index.ts";
import { sectionsOf } from "../src/source/sections.ts";

const { index } = JSON.parse(await searchFile(await collectPages()));
const sections = MiniSearch.loadJS(index, indexOptions);

/** The first three pages for a question, without `/docs/`. */
function pagesFor(question: string, reader: string): string[] {
  const ids = findSections(sections, question, reader).map(({ id }) => String(id).split("#")[0] ?? "");
  return [...new Set(ids)].slice(0, 3).map((id) => id.replace("/docs/", ""));
}

/** Questions as people ask them, with the pages that answer them. */
const questions: Record<string, [question: string, ...pages: string[]][]> = {
  platforms: [
    ["maximum size of a picture", "platforms/files", "reference/files.upload"],
    ["send the selfie from the phone without my api token in the app", "platforms/files"],
    ["is proof of address mandatory", "platforms/kyc", "reference/kyc.requirements", "reference/kyc.submit"],
    ["what does PENDING mean", "platforms/kyc", "platforms/kyc-decisions"],
    ["applicant stuck in pending for days", "platforms/kyc-decisions"],
    ["passport ran out, customer must be verified again", "platforms/kyc-decisions"],
    ["extra document, where do I post it", "platforms/kyc-decisions", "reference/kyc.answerRequest"],
    ["customer has a new mail address", "platforms/kyc", "reference/users.changeEmail"],
    ["webhook hmac does not match", "platforms/webhooks"],
    ["our server was down and we lost callbacks", "platforms/webhooks", "reference/webhooks.redeliverFailed"],
    ["request timed out, can I safely send it again", "platforms/retries"],
    ["idempotancy", "platforms/retries"],
    ["why do I get 401", "platforms/errors", "platforms/authentication"],
    ["blocked by CORS policy", "platforms/authentication", "platforms/files"],
    ["next page of cards", "platforms/cards", "reference/cards.list"],
    ["show full PAN and CVV to the cardholder", "platforms/cards"],
    ["simulate a declined applicant in staging", "platforms/sandbox", "reference/sandbox.act"],
    ["production checklist", "platforms/going-live"],
    ["nodejs sdk npm", "platforms/client"],
    ["connect an AI agent", "platforms/mcp"],
    ["will you break my integration with a new release", "platforms/versioning"],
  ],
  apps: [
    ["useQuery hook example", "apps/react"],
    ["call on behalf of the logged in employee", "apps/persons"],
    ["live updates in the browser", "apps/subscriptions"],
    ["one app for several tenants", "apps/typed-client"],
  ],
  operate: [
    ["zero downtime deployment", "operate/upgrade"],
    ["how do I back up the database", "operate/backup"],
    ["DR plan, restore point in time", "operate/backup", "operate/restore-check"],
    ["CardbridgeBacklog", "operate/runbook"],
    ["stop sending to the provider", "operate/pauses"],
    ["create an api key for a platform", "operate/platforms-and-keys", "operate/command-line"],
    ["how much memory and disk do I need", "operate/sizing", "operate/install"],
    ["a second person has to confirm", "operate/four-eyes"],
    ["GDPR right to be forgotten", "operate/data-subjects", "operate/retention"],
    ["litigation hold court order", "operate/retention"],
    ["employee left the company, cut access", "operate/persons"],
    ["prove that nobody tampered with the logs", "operate/audit"],
    ["which cron jobs do we need", "operate/operation", "operate/backup"],
    ["connection pooler in transaction mode", "operate/pgbouncer"],
    ["outbound firewall rules", "operate/security", "operate/install"],
  ],
};

it("of forty questions, at least 36 find their page among the first three", () => {
  const asked = Object.entries(questions).flatMap(([reader, ones]) =>
    ones.map(([question, ...pages]) => ({ question, pages, found: pagesFor(question, reader) })),
  );
  const unanswered = asked.filter(({ pages, found }) => !pages.some((page) => found.includes(page)));
  expect(asked).toHaveLength(40);
  expect(unanswered.length <= 4 ? [] : unanswered).toEqual([]);
});

it("the page of an operation or a code is the first one for its name", () => {
  expect(pagesFor("cards.list", "platforms")[0]).toBe("reference/cards.list");
  expect(pagesFor("INVALID_INPUT", "platforms")[0]).toBe("platforms/errors");
});

it("a word finds what its other forms find: mistyped, split, with an apostrophe", () => {
  expect(pagesFor("signture", "platforms")).toEqual(pagesFor("signature", "platforms"));
  expect(pagesFor("back up", "operate")[0]).toBe("operate/backup");
  expect(pagesFor("a user's cards", "platforms")).toEqual(pagesFor("user cards", "platforms"));
});

it("nothing finds nothing", () => {
  expect(pagesFor("what is it", "platforms")).toEqual([]);
  expect(pagesFor("xylophone", "platforms")).toEqual([]);
});

it("what contributors read is found by them alone", () => {
  const isTheirs = (page: string) => /^(contribute|platforms\/changelog)/.test(page);
  expect(pagesFor("add an operation", "contribute").some(isTheirs)).toBe(true);
  for (const reader of ["platforms", "apps", "operate"])
    expect(
      findSections(sections, "add an operation", reader).filter(({ id }) =>
        isTheirs(String(id).replace("/docs/", "")),
      ),
    ).toEqual([]);
});

it("a repeated heading has an anchor of its own", () => {
  const addresses = Object.values<string>(index.documentIds);
  expect(new Set(addresses).size).toBe(addresses.length);
});

it("each result has a title and a short excerpt", () => {
  for (const { title, excerpt } of Object.values<{ title: string; excerpt: string }>(index.storedFields)) {
    expect(title).not.toBe("");
    expect(excerpt.length).toBeLessThanOrEqual(160);
  }
});

it("an excerpt keeps the cells of a table apart", async () => {
  const [section] = await sectionsOf({
    markdown: "| Code | Retry? | Do |\n| - | - | - |\n| `A` | | Wait. |\n",
  });
  expect(section?.text).toBe("Code · Retry? · Do · A · Wait.");
});
