import { type IndexedSection, indexOptions } from "@cardbridge/api/docs/search";
import MiniSearch from "minisearch";
import { addressOf } from "../source/links.ts";
import type { Page } from "../source/page.ts";
import { sectionsOf } from "../source/sections.ts";

const maxExcerptLength = 160;

/** The sections that the pages of operations have in common. Each search for an error would find all of these pages. */
const repeated = new Set(["errors", "headers", "limits", "response-headers"]);

/** The search index of the site: each section of each page is a document of MiniSearch. */
async function searchIndex(pages: readonly Page[]): Promise<MiniSearch<IndexedSection>> {
  const index = new MiniSearch(indexOptions);
  for (const page of pages)
    for (const { heading, anchor, text } of await sectionsOf(page)) {
      if (text === "" || (page.slug.startsWith("reference/") && repeated.has(anchor))) continue;
      index.add({
        id: anchor === "" ? addressOf(page.slug) : `${addressOf(page.slug)}#${anchor}`,
        title: page.title,
        heading,
        text,
        excerpt: shorten(heading === "" ? page.description : text),
      });
    }
  return index;
}

/** The file search.json. */
export const searchFile = async (pages: readonly Page[]): Promise<string> =>
  JSON.stringify({ index: await searchIndex(pages) });

function shorten(text: string): string {
  if (text.length <= maxExcerptLength) return text;
  const end = text.lastIndexOf(" ", maxExcerptLength - 1);
  return `${text.slice(0, end > 0 ? end : maxExcerptLength - 1)}…`;
}
