import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { pdfWorker } from "../build.mjs";
import { buildInto } from "./support/built.ts";
import { newFolder } from "./support/folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    pdfWorker: string;
  }
}

/** Bundles the program that reads PDFs, once, as the service has it: each PDF starts it anew. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await newFolder();
  await buildInto(folder, { "pdf-worker": pdfWorker });
  project.provide("pdfWorker", pathToFileURL(join(folder, "pdf-worker.js")).href);
  return () => rm(folder, { recursive: true });
}
