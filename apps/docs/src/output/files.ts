import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "../source/page.ts";
import { llmsFull, llmsIndex } from "./llms.ts";
import { markdownOf } from "./markdown.ts";
import { searchFile } from "./search-index.ts";

const sources = new URL("../../../../docs/", import.meta.url);

/**
 * Adds the forms of the pages for agents and tools to the built site: each page as Markdown at its address with .md,
 * llms.txt and the search index.
 */
export async function writeOutputs(site: URL, pages: readonly Page[]): Promise<void> {
  const write = async (name: string, text: string) => {
    const path = fileURLToPath(new URL(name, site));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  for (const page of pages) await write(`${page.slug || "index"}.md`, markdownOf(page, pages));
  await write("llms.txt", llmsIndex(pages));
  await write("llms-full.txt", llmsFull(pages));
  await write("search.json", await searchFile(pages));
  for (const folder of (await readdir(sources, { recursive: true })).filter(isPictures))
    await cp(new URL(`${folder}/`, sources), new URL(`${folder}/`, site), { recursive: true });
}

const isPictures = (path: string) => /(?:^|\/)pictures$/.test(path);
