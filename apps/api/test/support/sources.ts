import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** One file of a package's or an app's sources. */
export interface Source {
  /** Such as `apps/api`. */
  package: string;
  /** Below `src/`, such as `rest/app.ts`. */
  path: string;
  /** The packages that it imports, types too, such as `@cardbridge/service/database`. */
  packages: string[];
  /** The files of its own `src/` that it imports, types too. */
  files: string[];
}

/** Every file of every package's and app's `src/`. */
export async function readSources(): Promise<Source[]> {
  const groups = await Promise.all(
    ["packages", "apps"].map(async (group) =>
      (await readdir(join(root, group))).map((name) => `${group}/${name}`),
    ),
  );
  return (await Promise.all(groups.flat().map(sourcesOf))).flat();
}

async function sourcesOf(name: string): Promise<Source[]> {
  const folder = join(root, name, "src");
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /\.[jt]sx?$/.test(path));
  return Promise.all(
    paths.map(async (path) => {
      const imported = importsOf(path, await readFile(join(folder, path), "utf8"));
      const isOwn = (specifier: string) => specifier.startsWith(".");
      return {
        package: name,
        path,
        packages: imported.filter((specifier) => !isOwn(specifier)),
        files: imported.filter(isOwn).map((specifier) => normalize(join(dirname(path), specifier))),
      };
    }),
  );
}

/** The specifiers that a file imports, re-exports, or uses in a type `import("…")`. */
function importsOf(path: string, text: string): string[] {
  const found = new Set<string>();
  JSON.stringify(parseSync(path, text).program, (key, value) => {
    if (key === "source" && typeof value?.value === "string") found.add(value.value);
    return typeof value === "bigint" ? String(value) : value;
  });
  return [...found];
}
