import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch, { type Options } from "minisearch";

const options: Options = {
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading", "excerpt"],
  searchOptions: { prefix: true, combineWith: "AND" },
};

const sections = [
  {
    id: "/docs/platforms/webhooks#verify-a-signature",
    title: "Webhooks",
    heading: "Verify a signature",
    text: "Compare the signature of each webhook.",
    excerpt: "Compare the signature of each webhook.",
  },
  {
    id: "/docs/platforms/cards",
    title: "Cards",
    heading: "",
    text: "List the cards of a user.",
    excerpt: "List the cards of a user.",
  },
];

/** Writes a search index in the format of the documentation's build. */
export async function writeSearchIndex(): Promise<URL> {
  const index = new MiniSearch(options);
  index.addAll(sections);
  const file = join(await mkdtemp(join(tmpdir(), "cardbridge-search-")), "search.json");
  await writeFile(file, JSON.stringify({ options, index }));
  return pathToFileURL(file);
}
