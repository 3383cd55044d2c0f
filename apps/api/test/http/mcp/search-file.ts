import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { indexOptions } from "../../../src/http/docs/search.ts";

export const someSections = [
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

/** Writes a documentation whose build has a search index. Returns its folder. */
export async function writeSearchIndex(into?: string, sections = someSections): Promise<string> {
  const folder = into ?? (await mkdtemp(join(tmpdir(), "cardbridge-search-")));
  const index = new MiniSearch(indexOptions);
  index.addAll(sections);
  await writeFile(join(folder, "search.json"), JSON.stringify({ index }));
  await writeFile(join(folder, "csp.json"), JSON.stringify({ scripts: [] }));
  return folder;
}
