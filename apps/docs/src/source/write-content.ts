import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "./page.ts";
import { escapeAngleBrackets, groupTabs } from "./tabs.ts";

/** The folder from which Astro reads the pages. It is made new by each build. */
const contentFolder = new URL("../../.content/", import.meta.url);

/** What a wrong address shows, in the shell of the site. */
const notFound = `---
title: Page not found
tableOfContents: false
---

No page has this address. The menu lists the pages, and the search finds sections. The [overview](/docs) is the first page.
`;

/** Writes the pages as Markdown with the metadata that Starlight expects. */
export async function writeContent(pages: readonly Page[]): Promise<void> {
  await rm(contentFolder, { recursive: true, force: true });
  await mkdir(contentFolder, { recursive: true });
  await writeFile(new URL("404.md", contentFolder), notFound);
  for (const { slug, title, description, markdown } of pages) {
    const path = fileURLToPath(new URL(`${slug === "" ? "index" : slug}.md`, contentFolder));
    await mkdir(dirname(path), { recursive: true });
    const metadata = [`title: ${JSON.stringify(title)}`, `description: ${JSON.stringify(description)}`];
    await writeFile(path, `---\n${metadata.join("\n")}\n---\n\n${groupTabs(escapeAngleBrackets(markdown))}`);
  }
}
