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
const marked = `
const mark = (value) =>
  typeof value === "string" ? "${marks.open}" + value + "${marks.close}"
  : typeof value === "function" ? (...parts) => mark(value(...parts))
  : Array.isArray(value) ? value.map(mark)
  : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mark(inner)]));
export const words = mark(plainWords);
`;

const pseudoLocale: Plugin = {
  name: "pseudo-locale",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/src/web/words.ts")) return undefined;
    return code.replace("export const words =", "const plainWords =") + marked;
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
