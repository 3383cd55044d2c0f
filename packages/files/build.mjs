import { existsSync } from "node:fs";
import { cp, readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// What a bundle that looks at files needs beside it: `pdf-worker.js`, and sharp as packages, as it is native.

/** An entry point of its own, to be bundled as `pdf-worker` into the folder of the bundle. */
export const pdfWorker = fileURLToPath(new URL("./src/pdf-worker.js", import.meta.url));

/**
 * Copies sharp, and all that it needs on the platforms that are installed, to the `node_modules` of a folder.
 * @param {string} folder
 */
export async function copySharp(folder) {
  await copyPackage("sharp", fileURLToPath(import.meta.url), join(folder, "node_modules"), new Set());
}

/** @param {string} name @param {string} from @param {string} to @param {Set<string>} done */
async function copyPackage(name, from, to, done) {
  const source = sourceOf(name, from);
  if (!source || done.has(name)) return;
  done.add(name);
  const root = await realpath(source);
  await cp(root, join(to, name), {
    recursive: true,
    filter: (path) => !path.slice(root.length).includes("node_modules"),
  });
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) {
    await copyPackage(next, join(root, "package.json"), to, done);
  }
}

/** Undefined for another platform's package. @param {string} name @param {string} from */
function sourceOf(name, from) {
  const places = createRequire(from).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name)).find((path) => existsSync(join(path, "package.json")));
}
