import { existsSync } from "node:fs";
import { cp, readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// A bundle that inspects and renders files needs these programs, and in its `node_modules` the packages of sharp, which is
// native, the font of watermarks and PDFium's WebAssembly.

/** The entry points to bundle, by name, into the folder of the bundle: the child processes and their threads for PDFs. */
export const filePrograms = {
  decoder: fileURLToPath(new URL("./src/inspection/decoder.js", import.meta.url)),
  "pdf-worker": fileURLToPath(new URL("./src/inspection/pdf-worker.js", import.meta.url)),
  renderer: fileURLToPath(new URL("./src/rendering/renderer.js", import.meta.url)),
  "pdf-page-worker": fileURLToPath(new URL("./src/rendering/pdf-page-worker.js", import.meta.url)),
};

/** The files that the programs read of packages that are bundled, or that have no code. */
const readFiles = {
  "@hyzyla/pdfium": ["package.json", "dist/pdfium.wasm"],
  "dejavu-fonts-ttf": ["package.json", "LICENSE", "ttf/DejaVuSans.ttf"],
};

/**
 * Copies sharp and its dependencies for the installed platforms, and the files that the programs read, to the
 * `node_modules` of a folder.
 * @param {string} folder
 */
export async function copyFilePackages(folder) {
  const here = fileURLToPath(import.meta.url);
  const modules = join(folder, "node_modules");
  await copyPackage("sharp", here, modules, new Set());
  for (const [name, files] of Object.entries(readFiles)) {
    const source = sourceOf(name, here);
    if (!source) throw new Error(`${name} is not installed.`);
    for (const file of files) await cp(join(source, file), join(modules, name, file));
  }
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
