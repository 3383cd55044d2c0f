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
  /** What it loads at run time: packages, and files of its own `src/`. */
  loads: { packages: string[]; files: string[] };
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
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /\.[jt]s$/.test(path));
  return Promise.all(
    paths.map(async (path) => {
      const { imported, loaded } = importsOf(path, await readFile(join(folder, path), "utf8"));
      const isOwn = (specifier: string) => specifier.startsWith(".");
      const split = (specifiers: string[]) => ({
        packages: specifiers.filter((specifier) => !isOwn(specifier)),
        files: specifiers.filter(isOwn).map((specifier) => normalize(join(dirname(path), specifier))),
      });
      return { package: name, path, ...split(imported), loads: split(loaded) };
    }),
  );
}

/** The specifiers that a file imports, re-exports, or uses in a type `import("…")`, and those that it loads. */
function importsOf(path: string, text: string): { imported: string[]; loaded: string[] } {
  const imported = new Set<string>();
  const loaded = new Set<string>();
  JSON.stringify(parseSync(path, text).program, (_key, value) => {
    const specifier = value?.source?.value;
    if (typeof specifier === "string") {
      imported.add(specifier);
      const isType =
        value.importKind === "type" || value.exportKind === "type" || value.type === "TSImportType";
      if (!isType) loaded.add(specifier);
    }
    return typeof value === "bigint" ? String(value) : value;
  });
  return { imported: [...imported], loaded: [...loaded] };
}
