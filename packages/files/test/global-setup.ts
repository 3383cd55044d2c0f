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
  }
}

/** Bundles the decoder programs once, as for the service: every PDF starts a new thread, which is slow unbundled. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeFolder();
  await bundleInto(folder, filePrograms);
  await stop();
  await mkdir(join(folder, "node_modules"));
  const sharp = fileURLToPath(new URL("../node_modules/sharp", import.meta.url));
  await symlink(await realpath(sharp), join(folder, "node_modules", "sharp"));
  project.provide("decoder", pathToFileURL(join(folder, "decoder.js")).href);
  project.provide("pdfWorker", pathToFileURL(join(folder, "pdf-worker.js")).href);
  return () => rm(folder, { recursive: true });
}
