import { mkdir, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stop } from "esbuild";
import type { TestProject } from "vitest/node";
import { filePrograms } from "../build.mjs";
import { bundleInto } from "./support/bundle.ts";
import { makeFolder } from "./support/folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    decoder: string;
    pdfWorker: string;
    renderer: string;
  }
}

/** Bundles the decoder programs once, as for the service: every PDF starts a new thread, which is slow unbundled. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeFolder();
  await bundleInto(folder, filePrograms);
  await stop();
  await mkdir(join(folder, "node_modules", "@hyzyla"), { recursive: true });
  for (const name of ["sharp", "dejavu-fonts-ttf", "@hyzyla/pdfium"]) {
    const source = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
    await symlink(await realpath(source), join(folder, "node_modules", name));
  }
  project.provide("decoder", pathToFileURL(join(folder, "decoder.js")).href);
  project.provide("pdfWorker", pathToFileURL(join(folder, "pdf-worker.js")).href);
  project.provide("renderer", pathToFileURL(join(folder, "renderer.js")).href);
  return () => rm(folder, { recursive: true });
}
