import { Worker } from "node:worker_threads";
import type { PdfPage } from "./rendered.ts";

/** Most PDFs need less than 200 MB. The limits of the process also cover what is outside of the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/**
 * Renders one page of a PDF in a thread of its own, so that the thread that monitors this process is free, and so that
 * PDFium's memory is freed.
 * @throws the error of the thread
 */
export async function renderPdfPage(
  bytes: Uint8Array,
  page: number,
  worker = new URL("./pdf-page-worker.js", import.meta.url),
): Promise<PdfPage> {
  const thread = new Worker(worker, {
    workerData: { bytes, page },
    resourceLimits,
    stdout: true,
    stderr: true,
    env: {},
  });
  try {
    return await new Promise<PdfPage>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`The PDF thread exited with code ${code}.`)));
    });
  } finally {
    await thread.terminate();
  }
}
