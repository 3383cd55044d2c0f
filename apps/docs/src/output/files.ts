import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "../source/page.ts";
import { withoutTabs } from "../source/tabs.ts";

const sources = new URL("../../../../docs/", import.meta.url);

/** Adds the forms of the pages for agents and tools to the built site: each page as Markdown at its address with .md. */
export async function writeOutputs(site: URL, pages: readonly Page[]): Promise<void> {
  for (const { slug, title, markdown } of pages) {
    const path = fileURLToPath(new URL(`${slug === "" ? "index" : slug}.md`, site));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `# ${title}\n\n${withoutTabs(markdown)}`);
  }
  for (const folder of (await readdir(sources, { recursive: true })).filter(isPictures))
    await cp(new URL(`${folder}/`, sources), new URL(`${folder}/`, site), { recursive: true });
}

const isPictures = (path: string) => /(?:^|\/)pictures$/.test(path);
