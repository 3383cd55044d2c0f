import { findSections, indexOptions } from "@cardbridge/api/docs/search";
import type MiniSearch from "minisearch";

/** A section of a page that matches. */
export interface Hit {
  /** Its address. */
  id: string;
  /** The title of its page. */
  title: string;
  /** The heading, which is empty for the part above the first one. */
  heading: string;
  excerpt: string;
}

const maxPages = 8;
const maxHitsPerPage = 4;

let loaded: Promise<MiniSearch> | undefined;

/** Loads the index once. A failed attempt is repeated by the next call. */
export function loadIndex(): Promise<MiniSearch> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function load(): Promise<MiniSearch> {
  const [{ default: Engine }, response] = await Promise.all([
    import("minisearch"),
    fetch("/docs/search.json"),
  ]);
  if (!response.ok) throw new Error(`The search index has status ${response.status}`);
  const { index } = await response.json();
  return Engine.loadJS(index, indexOptions);
}

/**
 * The best hits, grouped by page, best page first.
 * @param reader the part of the site that somebody reads, such as `platforms`
 */
export function searchPages(index: MiniSearch, query: string, reader: string): Hit[][] {
  const pages = new Map<string, Hit[]>();
  for (const hit of findSections(index, query, reader) as unknown as Hit[]) {
    const [page = ""] = hit.id.split("#");
    const hits = pages.get(page) ?? [];
    if (hits.length < maxHitsPerPage) pages.set(page, [...hits, hit]);
  }
  return [...pages.values()].slice(0, maxPages);
}
