import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "../source/page.ts";
import { withoutTabs } from "../source/tabs.ts";
import { searchFile } from "./search-index.ts";

const pictures = new URL("../../../../docs/operate/pictures/", import.meta.url);

/** Adds the forms of the pages for agents and tools to the built site: each page as Markdown at its address with .md. */
export async function writeOutputs(site: URL, pages: readonly Page[]): Promise<void> {
  for (const { slug, title, markdown } of pages) {
    const path = fileURLToPath(new URL(`${slug === "" ? "index" : slug}.md`, site));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `# ${title}\n\n${withoutTabs(markdown)}`);
  }
  await writeFile(new URL("search.json", site), await searchFile(pages));
  await cp(pictures, new URL("operate/pictures/", site), { recursive: true });
}
