import { inject } from "vitest";
import { createFileInspector, type FileInspectorOptions } from "../../src/index.ts";

/** Creates an inspector with the bundled worker for PDFs and a time limit that a slow machine does not reach. */
export const createTestInspector = (options: FileInspectorOptions = {}) =>
  createFileInspector({ pdf: { worker: new URL(inject("pdfWorker")), ms: 100_000 }, ...options });
