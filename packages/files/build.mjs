import { existsSync } from "node:fs";
import { cp, readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// A bundle that inspects files needs these programs and the packages of sharp, which is native, in the same folder.

/** The entry points to bundle, by name, into the folder of the bundle: the decoder process and its thread for PDFs. */
export const filePrograms = {
  decoder: fileURLToPath(new URL("./src/inspection/decoder.js", import.meta.url)),
  "pdf-worker": fileURLToPath(new URL("./src/inspection/pdf-worker.js", import.meta.url)),
};

/**
 * Copies sharp and its dependencies for the installed platforms to the `node_modules` of a folder.
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

/**
 * The folder of a package; undefined for the package of a platform that is not installed.
 * @param {string} name @param {string} from
 */
function sourceOf(name, from) {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(join(path, "package.json")));
}
