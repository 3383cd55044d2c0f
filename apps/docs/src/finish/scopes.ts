import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";

/**
 * Gives the scopes of components, such as `astro-2bedl2oa`, numbers in the order of the style sheets: Astro derives them from
 * the folder of the build, and two builds of a commit have to be equal. A style sheet then gets a name by its new content.
 *
 * @returns the same change for the text of a page
 */
export async function numberScopes(site: URL): Promise<(page: string) => string> {
  const folder = new URL("_astro/", site);
  const scopes = new Map<string, string>();
  const names = new Map<string, string>();
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".css"))) {
    const text = await readFile(new URL(name, folder), "utf8");
    for (const [, scope = ""] of text.matchAll(/\.(astro-[a-z0-9]{8})\b/g))
      if (!scopes.has(scope)) scopes.set(scope, `astro-${scopes.size + 1}`);
    const numbered = withNumbers(text);
    const hash = createHash("sha256").update(numbered).digest("hex").slice(0, 8);
    const renamed = name.replace(/\.[\w-]+\.css$/, `.${hash}.css`);
    await rm(new URL(name, folder));
    await writeFile(new URL(renamed, folder), numbered);
    names.set(name, renamed);
  }
  return (page) =>
    [...names].reduce(
      (text, [name, renamed]) => text.replaceAll(`/${name}`, `/${renamed}`),
      withNumbers(page),
    );

  function withNumbers(text: string): string {
    return text.replaceAll(/\bastro-[a-z0-9]{8}\b/g, (scope) => scopes.get(scope) ?? scope);
  }
}
