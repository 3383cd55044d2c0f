import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { openSite } from "../../../src/http/docs/site.ts";
import { createSearch } from "../../../src/http/mcp/search.ts";
import { someSections, writeSearchIndex } from "./search-file.ts";

const publicUrl = "https://cards.cardbridge.test";
const searchOf = (folder: string, url = publicUrl) =>
  createSearch(openSite(folder, { publicUrl: url, demo: false }), url);
const titlesOf = ({ results }: Awaited<ReturnType<ReturnType<typeof createSearch>>>) =>
  results.map(({ title }) => title);

const firstPage = {
  id: "/docs#conventions",
  title: "Overview",
  heading: "Conventions",
  text: "Base address",
  excerpt: `Base address http://127.0.0.1:3000, key ${demoKeys.first}`,
};

it("puts sections with more of the words first", async () => {
  const search = searchOf(await writeSearchIndex());
  expect(titlesOf(await search("list of cards"))).toEqual(["Cards"]);
  expect(titlesOf(await search("how do I verify my signatures"))).toContain("Webhooks: Verify a signature");
  expect(titlesOf(await search("nothing"))).toEqual([]);
});

it("ignores the words that make a question, and leaves out decisions", async () => {
  const decision = { ...firstPage, id: "/docs/platforms/decisions#g8", title: "Decisions", heading: "Cards" };
  const search = searchOf(await writeSearchIndex(undefined, [...someSections, decision]));
  expect(titlesOf(await search("cards"))).toEqual(["Cards"]);
  expect(titlesOf(await search("Where do I list the cards of a user?"))).toEqual(["Cards"]);
  expect(titlesOf(await search("what is it"))).toEqual([]);
});

it("reads eight different words of a query", async () => {
  const search = searchOf(await writeSearchIndex());
  const others = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
  expect(titlesOf(await search([...others.slice(1), "cards"].join(" ")))).toEqual(["Cards"]);
  expect(titlesOf(await search([...others, "cards"].join(" ")))).toEqual([]);
  expect(titlesOf(await search(`${"Nothing nothing ".repeat(10)}cards`))).toEqual(["Cards"]);
});

it("completes words of four letters or more, and finds a mistyped one", async () => {
  const search = searchOf(await writeSearchIndex());
  expect(titlesOf(await search("sign"))).toEqual(["Webhooks: Verify a signature"]);
  expect(titlesOf(await search("sig"))).toEqual([]);
  expect(titlesOf(await search("webhok"))).toEqual(["Webhooks: Verify a signature"]);
});

it("shows the service's own address and no demo key, and names the Markdown of the first page", async () => {
  const search = searchOf(await writeSearchIndex(undefined, [firstPage]), "https://a.test/base/");
  expect(await search("base address")).toEqual({
    results: [
      {
        title: "Overview: Conventions",
        address: "https://a.test/base/docs#conventions",
        markdown: "https://a.test/base/docs/index.md",
        excerpt: "Base address https://a.test/base, key YOUR_API_KEY",
      },
    ],
  });
});

it("is unavailable until the documentation is built, and during another build, whose index it then has", async () => {
  const folder = await writeSearchIndex();
  const policy = join(folder, "csp.json");
  await rm(policy);
  const search = searchOf(folder);
  const unavailable = { code: "SERVICE_UNAVAILABLE" };
  await expect(search("cards")).rejects.toMatchObject(unavailable);
  await writeSearchIndex(folder);
  await rm(join(folder, "search.json"));
  await expect(search("cards")).rejects.toMatchObject(unavailable);
  await writeSearchIndex(folder);
  expect(titlesOf(await search("cards"))).toEqual(["Cards"]);
  await writeSearchIndex(folder, [...someSections, firstPage]);
  await utimes(policy, 1, 1);
  expect(titlesOf(await search("base address"))).toEqual(["Overview: Conventions"]);
});
