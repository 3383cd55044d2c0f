import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { pdfWorker } from "../build.mjs";
import { bundleInto } from "./support/bundle.ts";
import { makeFolder } from "./support/folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    pdfWorker: string;
  }
}

/** Bundles the worker for PDFs once, as the service does, because every PDF starts it again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeFolder();
  await bundleInto(folder, { "pdf-worker": pdfWorker });
  project.provide("pdfWorker", pathToFileURL(join(folder, "pdf-worker.js")).href);
  return () => rm(folder, { recursive: true });
}
