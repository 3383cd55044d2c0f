import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { vi } from "vitest";

/**
 * What encloses a word: characters without a width, which Playwright ignores. So tests find the words, and the views are as
 * wide as with the real ones.
 */
export const marks = { open: "\u200b", close: "\u00ad" };

/** Marks every word, and what every function of the words makes. */
const mark = `
function markWords(value) {
  return typeof value === "string" ? "${marks.open}" + value + "${marks.close}"
    : typeof value === "function" ? (...parts) => markWords(value(...parts))
    : Array.isArray(value) ? value.map(markWords)
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, markWords(inner)]));
}
`;

/** The words of a file, or of a folder, are its constant `words`; those of several folders are `shared`. */
const constant = /^((?:export )?const (?:words|shared) = )(\{[\s\S]*?\}) as const;/m;

const pseudoLocale: Plugin = {
  name: "pseudo-locale",
  enforce: "pre",
  transform(code, id) {
    if (!/\/src\/web\/.*\.tsx?$/.test(id) || !constant.test(code)) return undefined;
    return code.replace(constant, "$1markWords($2);") + mark;
  },
};

/** Builds the pages with marked words into a temporary folder, and returns it. */
export async function buildPseudoLocale(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "cardbridge-pseudo-"));
  // Otherwise the environment of the tests chooses the development's build of React.
  vi.stubEnv("NODE_ENV", "production");
  await build({
    configFile: fileURLToPath(new URL("../../../vite.config.ts", import.meta.url)),
    root: fileURLToPath(new URL("../../../src/web", import.meta.url)),
    logLevel: "silent",
    plugins: [pseudoLocale],
    build: { outDir, emptyOutDir: true },
  });
  vi.unstubAllEnvs();
  return outDir;
}
