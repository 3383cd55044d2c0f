import { sections, slugOf } from "../navigation.ts";
import { referencePages } from "../reference/pages.ts";
import type { Page } from "./page.ts";
import { readPage } from "./read-page.ts";

/** The sources from the project's root, by the slugs of their pages. */
const slugs = new Map(
  sections.flatMap(({ folder, groups }) =>
    groups.flatMap(({ pages }) => pages.map((name) => [`docs/${folder}/${name}.md`, slugOf(folder, name)])),
  ) as [string, string][],
);

/** Collects every page of the site, in the order of reading: those of docs, and one of each operation. */
export async function collectPages(): Promise<Page[]> {
  const written = await Promise.all([...slugs.keys()].map((source) => readPage(source, slugs)));
  return [...written, ...referencePages()];
}
