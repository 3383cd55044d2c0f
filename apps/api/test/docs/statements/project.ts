import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const made = new Set(["node_modules", ".astro", ".content", "dist", ".git", ".turbo", ".reports", ".data"]);

/** Every file of the project that is written by hand, from the root, and every folder, which ends with a slash. */
const paths = new Set(pathsIn(""));

function pathsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (!entry.isDirectory()) return [path];
    return made.has(entry.name) ? [] : [`${path}/`, ...pathsIn(`${path}/`)];
  });
}

export const readFile = (path: string): string => readFileSync(join(root, path), "utf8");
export const filesWhere = (isWanted: (path: string) => boolean): string[] =>
  [...paths].filter((path) => !path.endsWith("/") && isWanted(path)).sort();

/** The code of everything that runs but the programs: tests, scripts, benchmarks and `ops`. */
export const tools = filesWhere(
  (path) =>
    /^(?:ops|scripts|\.ci)\//.test(path) ||
    // The tests of pages have made-up words.
    (/^(?:apps|packages|bench)\/.*\.(?:ts|js|mjs)$/.test(path) && !path.startsWith("apps/api/test/docs/")),
).map(readFile);

/** Every text between quotes in the code of the programs, without that of their tests. */
export const literals = new Set(
  filesWhere((path) => /^(?:apps|packages)\/[\w-]+\/src\/.*\.(?:ts|js|mjs|sql)$/.test(path)).flatMap((path) =>
    [...readFile(path).matchAll(/(["'`])([^"'`\n]{1,80})\1/g)].map(([, , text = ""]) => text),
  ),
);

/** What the manifests say, by the folder of each: the root's is "". */
export const manifests = new Map(
  filesWhere((path) => /^(?:(?:apps|packages)\/[\w-]+\/|bench\/)?package\.json$/.test(path)).map((path) => [
    path.replace(/\/?package\.json$/, ""),
    JSON.parse(readFile(path)) as { version?: string; scripts?: Record<string, string> },
  ]),
);

/** Whether a path from a folder exists. Built programs stand for their sources, and `*` for any name. */
export function hasPath(path: string, folder = ""): boolean {
  const joined = posix.normalize(posix.join(folder, path)).replace(/^\.\/?$/, "");
  const source = joined.replace(/\/dist(?=\/|$)/, "/src").replace(/\.js$/, ".ts");
  if (!joined.includes("*"))
    return joined === "" || [joined, `${joined}/`, source, `${source}/`].some((each) => paths.has(each));
  const pattern = joined
    .replaceAll(/[.+]/g, "\\$&")
    .replaceAll("**/", "(?:.*/)?")
    .replaceAll(/(?<!\.)\*/g, "[^/]*");
  return [...paths].some((each) => new RegExp(`^${pattern}/?$`).test(each));
}

/** Files of a release with a place of their own in it. A test of the release runs the programs. */
const released = new Set(["cli.js", "console/server/main.js", "sbom.cdx.json"]);

/** Whether the end of some path is this one. */
export function hasName(path: string): boolean {
  if (released.has(path)) return true;
  const name = path.replace(/^(?:\.\.\/)+/, "");
  const ends = [name, name.replace(/^dist\//, "src/").replace(/\.js$/, ".ts")];
  return [...paths].some((each) => ends.some((end) => `/${each}`.endsWith(`/${end}`)));
}

/** The page to which a link from a folder leads; undefined if it leads to no page. */
export function readIfPage(target: string, folder: string): string | undefined {
  const path = posix.join(folder, target);
  return path.endsWith(".md") && paths.has(path) ? readFile(path) : undefined;
}

export const folderOf = (path: string): string => {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
};
