import { inject } from "vitest";
import { createFileInspector, type FileInspectorOptions } from "../../src/index.ts";

/** An inspector with the bundled program for PDFs, which a slow machine does not hurry. */
export const testInspector = (options: FileInspectorOptions = {}) =>
  createFileInspector({ pdf: { worker: new URL(inject("pdfWorker")), ms: 100_000 }, ...options });
