import MiniSearch, { type SearchResult } from "minisearch";
import { expect, it } from "vitest";
import { collectPages } from "../src/collect-pages.ts";
import { searchFile } from "../src/output/search-index.ts";

const file = await searchFile(await collectPages());
const { options, index } = JSON.parse(file);
const search = MiniSearch.loadJS(index, options);

it.each([
  ["idempotency key", "/docs/platforms/retries"],
  ["passport", "/docs/reference/kyc.submit"],
  ["INVALID_INPUT", "/docs/platforms/errors"],
  ["list cards", "/docs/reference/cards.list"],
])("a search for %s finds %s among the first five pages", (query, address) => {
  expect(firstPages(search.search(query))).toContainEqual(expect.stringContaining(address));
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

function firstPages(results: SearchResult[]): string[] {
  const pages = [...new Set(results.map(({ id }) => String(id).split("#")[0]))].slice(0, 5);
  return results.map(({ id }) => String(id)).filter((id) => pages.includes(id.split("#")[0]));
}
