import { readdir, readFile, writeFile } from "node:fs/promises";
import { rehype } from "rehype";
import { shortenAddresses } from "./addresses.ts";
import { labelCode } from "./code-labels.ts";
import { splitOperation } from "./operation-columns.ts";
import { removeDefaults } from "./page-defaults.ts";
import { inlinePictures } from "./pictures.ts";
import { numberScopes } from "./scopes.ts";
import { collectScriptHashes } from "./script-hashes.ts";
import { markShortWords } from "./short-words.ts";
import { moveStyles } from "./styles.ts";
import { labelCells } from "./table-labels.ts";

/**
 * Makes the built pages work under a Content-Security-Policy without `unsafe-inline`: style attributes become classes
 * of styles.css.
 *
 * @returns the hashes of the inline scripts, for the policy
 */
export async function finishSite(site: URL): Promise<string[]> {
  const styles = new Map<string, string>();
  const hashes = new Set<string>();
  const numbered = await numberScopes(site);
  const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith(".html"));
  for (const name of names) {
    const file = new URL(name, site);
    const page = await rehype()
      .use(removeDefaults)
      .use(splitOperation)
      .use(labelCells)
      .use(markShortWords)
      .use(labelCode)
      .use(shortenAddresses)
      .use(inlinePictures)
      .use(moveStyles, styles)
      .use(collectScriptHashes, hashes)
      .process(numbered(await readFile(file, "utf8")));
    await writeFile(file, String(page));
  }
  const rules = [...styles].map(([style, name]) => `.${name}{${style}}\n`);
  await writeFile(new URL("styles.css", site), rules.join(""));
  return [...hashes].sort();
}
