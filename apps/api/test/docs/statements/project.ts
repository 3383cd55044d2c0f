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

/** The code of the programs, without that of their tests. */
export const sources = filesWhere((path) =>
  /^(?:apps|packages)\/[\w-]+\/src\/.*\.(?:ts|js|mjs|sql)$/.test(path),
).map(readFile);
/** The code of everything else that runs: tests, scripts, benchmarks and `ops`. The tests of pages have made-up words. */
export const tools = filesWhere(
  (path) =>
    /^(?:ops|scripts|\.ci)\//.test(path) ||
    (/^(?:apps|packages|bench)\/.*\.(?:ts|js|mjs)$/.test(path) && !path.startsWith("apps/api/test/docs/")) ||
    /^vitest|^package\.json$/.test(path),
).map(readFile);

/** Every word with an underscore in the code of the programs. */
export const sourceWords = new Set(
  sources.flatMap((source) => source.match(/[a-z0-9]+(?:_[a-z0-9]+)+/g) ?? []),
);

/** Every word with a hyphen or an underscore of `ops`, such as the name of a secret. */
export const opsWords = new Set(
  filesWhere((path) => path.startsWith("ops/")).flatMap(
    (path) => readFile(path).match(/[a-z0-9]+(?:[-_][a-z0-9]+)+/g) ?? [],
  ),
);

/** Every text between quotes in the code of the programs. */
export const literals = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/(["'`])([^"'`\n]{1,80})\1/g)].map(([, , text = ""]) => text),
  ),
);

/** What the manifests say, by the folder of each: the root's is "". */
export const manifests = new Map(
  filesWhere((path) => /^(?:(?:apps|packages)\/[\w-]+\/|bench\/)?package\.json$/.test(path)).map((path) => [
    path.replace(/\/?package\.json$/, ""),
    JSON.parse(readFile(path)) as {
      name: string;
      version?: string;
      packageManager?: string;
      scripts?: Record<string, string>;
      exports?: Record<string, unknown>;
    },
  ]),
);

/** Whether a path from the root exists. Built programs stand for their sources, and `*` for any name. */
function exists(path: string): boolean {
  const source = path.replace(/\/dist(?=\/|$)/, "/src").replace(/\.js$/, ".ts");
  if (!path.includes("*")) {
    return path === "" || [path, `${path}/`, source, `${source}/`].some((each) => paths.has(each));
  }
  const pattern = path
    .replaceAll(/[.+]/g, "\\$&")
    .replaceAll("**/", "(?:.*/)?")
    .replaceAll(/(?<!\.)\*/g, "[^/]*");
  return [...paths].some((each) => new RegExp(`^${pattern}/?$`).test(each));
}

/** Whether one of the places where a reader of a page looks for a path has it. */
export function hasPath(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => exists(posix.normalize(posix.join(folder, path)).replace(/^\.\/?$/, "")));
}

/** The page to which a link from a folder leads; undefined if it leads to no page. */
export function readIfPage(target: string, folder: string): string | undefined {
  const path = posix.join(folder, target);
  return path.endsWith(".md") && paths.has(path) ? readFile(path) : undefined;
}

const names = new Set([...paths].map((path) => posix.basename(path)));
const stems = new Set([...names].map((name) => name.replace(/\..*$/, "")));

/** Whether a file or a folder anywhere in the project has this name; without an ending, with any. */
export function hasName(name: string): boolean {
  return stems.has(name) || [name, name.replace(/\.js$/, ".ts")].some((each) => names.has(each));
}

export const folderOf = (path: string): string => {
  const folder = dirname(path);
  return folder === "." ? "" : folder;
};
