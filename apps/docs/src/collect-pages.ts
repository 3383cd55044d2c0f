import { posix } from "node:path";
import { sections, slugOf } from "./navigation.ts";
import { referencePages } from "./reference/pages.ts";
import type { Page } from "./source/page.ts";
import { readPage } from "./source/read-page.ts";

/** Pages whose source is not below docs. */
const otherSources: Record<string, string> = {
  "platforms/changelog": "CHANGELOG.md",
  "platforms/client": "packages/client/README.md",
};

/** The slugs of the pages, by their sources from the project's root. */
const slugs = new Map(
  sections
    .flatMap(({ folder, groups }) =>
      groups.flatMap(({ pages }) =>
        pages.map((name) => ({ path: posix.join(folder, name), slug: slugOf(folder, name) })),
      ),
    )
    .map(({ path, slug }): [string, string] => [otherSources[slug] ?? `docs/${path}.md`, slug]),
);

/** Collects every page of the site, in the order of reading: those of docs, and one of each operation. */
export async function collectPages(): Promise<Page[]> {
  const written = await Promise.all([...slugs.keys()].map((source) => readPage(source, slugs)));
  return [...written, ...referencePages()];
}
