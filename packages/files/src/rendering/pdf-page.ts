import { shownPages } from "@cardbridge/domain";
import { runInThread } from "../processes/run-in-thread.ts";
import type { PageTask, PdfPage, PdfProgress } from "./rendered.ts";

const program = () => new URL("./pdf-page-worker.js", import.meta.url);

/** Renders one page of a PDF. @throws the error of the thread */
export function renderPdfPage(bytes: Uint8Array, page: number): Promise<PdfPage> {
  return runInThread(program(), { bytes, page } satisfies PageTask);
}

/**
 * Renders pages without keeping them, from `page` to the last one that is shown to people. Begins no further page
 * after this CPU time of the process, in milliseconds.
 * @throws the error of the thread
 */
export function renderPdfPages(
  bytes: Uint8Array,
  page: number,
  untilCpuMs: number,
): Promise<PdfProgress | { rule: "file-broken" }> {
  return runInThread(program(), {
    bytes,
    page,
    further: { lastPage: shownPages, untilCpuMs },
  } satisfies PageTask);
}
