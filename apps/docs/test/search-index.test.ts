import { findSections, indexOptions } from "@cardbridge/api/docs/search";
import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { collectPages } from "../src/collect-pages.ts";
import { searchFile } from "../src/output/search-index.ts";

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
    ["how do I upload a passport image", "platforms/files", "reference/files.upload"],
    ["what file types are allowed", "platforms/files"],
    ["maximum size of a picture", "platforms/files", "reference/files.upload"],
    ["which fields do I need for Hong Kong users", "platforms/kyc", "reference/kyc.submit"],
    ["what does PENDING mean", "platforms/kyc", "platforms/kyc-decisions"],
    ["my user sent the wrong document, can they try again", "platforms/kyc", "platforms/kyc-decisions"],
    ["the passport of an approved user expires soon", "platforms/kyc", "platforms/kyc-decisions"],
    ["provider asks for a bank statement", "platforms/kyc", "platforms/kyc-decisions"],
    ["how do I get notified when somebody is approved", "platforms/webhooks"],
    ["verify webhook signature", "platforms/webhooks"],
    ["my callback url was disabled", "platforms/webhooks"],
    ["request timed out, is it safe to send it again", "platforms/retries"],
    ["idempotency key header", "platforms/retries", "platforms/kyc"],
    ["why do I get 401", "platforms/errors", "platforms/authentication"],
    ["too many requests", "platforms/errors", "platforms/retries"],
    ["how do I list all cards of a user", "platforms/cards", "reference/cards.list"],
    ["next page of cards", "platforms/cards", "reference/cards.list"],
    ["can I see the full card number", "platforms/cards"],
    ["how can I test without real people", "platforms/sandbox"],
    ["simulate a rejection", "platforms/sandbox", "reference/sandbox.act"],
    ["what do I check before going live", "platforms/going-live"],
    ["is there a typescript library", "platforms/client", "platforms/quick-start"],
    ["connect an AI agent", "platforms/mcp"],
    ["breaking changes of the api", "platforms/versioning"],
  ],
  apps: [
    ["how do I install the tRPC client", "apps/typed-client"],
    ["use it in react components", "apps/react"],
    ["live updates in the browser", "apps/subscriptions"],
    ["who is the signed in person", "apps/persons"],
  ],
  operate: [
    ["install it on one server", "operate/install"],
    ["how do I back up the database", "operate/backup"],
    ["restore after we lost data", "operate/backup", "operate/restore-check"],
    ["update to a new version without downtime", "operate/upgrade"],
    ["CardbridgeBacklog", "operate/runbook"],
    ["stop sending to the provider", "operate/pauses"],
    ["create an api key for a platform", "operate/platforms-and-keys", "operate/command-line"],
    ["how much memory and disk do I need", "operate/sizing", "operate/install"],
    ["rotate the encryption key", "operate/encryption-keys"],
    ["a second person has to confirm", "operate/four-eyes"],
    ["someone wants all their data deleted", "operate/data-subjects"],
    ["how long do we keep personal data", "operate/retention"],
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

it("a mistyped word finds what the word finds, and nothing finds nothing", () => {
  expect(pagesFor("signture", "platforms")).toEqual(pagesFor("signature", "platforms"));
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
