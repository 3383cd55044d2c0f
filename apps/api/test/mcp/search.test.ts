import { copyFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { createSearch } from "../../src/mcp/search.ts";
import { writeSearchIndex } from "./search-file.ts";

const publicUrl = "https://cards.cardbridge.test";
const titlesOf = ({ results }: Awaited<ReturnType<ReturnType<typeof createSearch>>>) =>
  results.map(({ title }) => title);

it("prefers sections with every word, and else takes those with some", async () => {
  const search = createSearch(await writeSearchIndex(), publicUrl);
  expect(titlesOf(await search("list of cards"))).toEqual(["Cards"]);
  expect(titlesOf(await search("how do I verify my signatures"))).toContain("Webhooks: Verify a signature");
  expect(titlesOf(await search("nothing"))).toEqual([]);
});

it("finds a mistyped word", async () => {
  const search = createSearch(await writeSearchIndex(), publicUrl);
  expect(titlesOf(await search("webhok"))).toEqual(["Webhooks: Verify a signature"]);
});

it("is available as soon as the documentation is built", async () => {
  const written = await writeSearchIndex();
  const later = new URL("later.json", written);
  const search = createSearch(later, publicUrl);
  await expect(search("cards")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await copyFile(written, later);
  expect(titlesOf(await search("cards"))).toEqual(["Cards"]);
});
