import MiniSearch, { type Options } from "minisearch";
import { addressOf } from "../source/links.ts";
import type { Page } from "../source/page.ts";
import { sectionsOf } from "../source/sections.ts";

/** A section of a page in the search index. */
export interface IndexedSection {
  /** Its address: `/docs/platforms/kyc#fields`. */
  id: string;
  /** The page's title. */
  title: string;
  /** The section's heading. It is empty for the part above the first heading. */
  heading: string;
  text: string;
  /** The start of the text, or the page's description. It is what a result shows. */
  excerpt: string;
}

const maxExcerptLength = 160;

/** The sections that the pages of operations have in common. Each search for an error would find all of these pages. */
const repeated = new Set(["errors", "headers", "limits", "response-headers"]);

/** The options with which the index is written and must be read. */
const searchOptions: Options<IndexedSection> = {
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading", "excerpt"],
  searchOptions: { boost: { title: 3, heading: 4 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};

/** The search index of the site: each section of each page is a document of MiniSearch. */
async function searchIndex(pages: readonly Page[]): Promise<MiniSearch<IndexedSection>> {
  const index = new MiniSearch(searchOptions);
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
  JSON.stringify({ options: searchOptions, index: await searchIndex(pages) });

function shorten(text: string): string {
  if (text.length <= maxExcerptLength) return text;
  const end = text.lastIndexOf(" ", maxExcerptLength - 1);
  return `${text.slice(0, end > 0 ? end : maxExcerptLength - 1)}…`;
}
