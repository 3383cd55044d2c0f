import { setImmediate } from "node:timers/promises";
import { Failure } from "@cardbridge/domain";
import MiniSearch, { type SearchResult } from "minisearch";
import * as z from "zod";
import { docsPath } from "../../config/paths.ts";
import type { Build } from "../docs/build.ts";
import { findSections, indexOptions } from "../docs/search.ts";
import type { Site } from "../docs/site.ts";

/** The sections of the documentation that match a query, best first. */
export const found = z.object({
  results: z.array(
    z.object({
      title: z.string().meta({ description: "The page's title, and the section's heading." }),
      address: z.url().meta({ description: "The section." }),
      markdown: z.url().meta({ description: "The whole page as Markdown." }),
      excerpt: z.string(),
    }),
  ),
});

export type Search = (query: string) => Promise<z.output<typeof found>>;

const maxResults = 8;
const maxExcerptLength = 400;

/** The file that the documentation's build writes. */
const file = z.object({ index: z.looseObject({}) });

/** What the index stores of a section. Its id is its address. */
const section = z.object({ id: z.string(), title: z.string(), heading: z.string(), excerpt: z.string() });

/**
 * Creates a search in the documentation. It loads the index of a build with the first query.
 * @returns a function that throws Failure SERVICE_UNAVAILABLE while there is no build
 */
export function createSearch(site: Site, publicUrl: string): Search {
  let loaded: { build: Build; sections: Promise<MiniSearch> } | undefined;
  async function load(): Promise<MiniSearch> {
    const build = await site.current();
    if (build === undefined) throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 10 });
    if (loaded?.build !== build) loaded = { build, sections: build.searchIndex().then(parse) };
    const { sections } = loaded;
    return sections.catch((error: unknown) => {
      if (loaded?.sections === sections) loaded = undefined;
      throw error;
    });
  }
  return async (query) => {
    const sections = await load();
    // A search blocks the event loop, so each one begins after other calls had their turn.
    await setImmediate();
    // Agents build for platforms.
    const best = findSections(sections, query, "platforms").slice(0, maxResults);
    return { results: best.map((one) => describe(one, publicUrl)) };
  };
}

function parse(text: string): Promise<MiniSearch> {
  const { index } = file.parse(JSON.parse(text));
  return MiniSearch.loadJSAsync(index as never, indexOptions);
}

function describe(result: SearchResult, publicUrl: string) {
  const { id, title, heading, excerpt } = section.parse(result);
  const [page] = id.split("#", 1);
  const base = publicUrl.replace(/\/$/, "");
  return {
    title: heading === "" ? title : `${title}: ${heading}`,
    address: base + id,
    // The first page has no name.
    markdown: `${base}${page === docsPath ? `${docsPath}/index` : page}.md`,
    excerpt: excerpt.slice(0, maxExcerptLength),
  };
}
