import { runInThread } from "../processes/run-in-thread.ts";
import type { FileRule } from "./violation.ts";

/**
 * Returns the rule that a PDF violates: file-broken, pdf-encrypted, pdf-active or pdf-too-complex; null if there is none.
 * @throws the error of the thread
 */
export function checkPdf(bytes: Uint8Array): Promise<FileRule | null> {
  return runInThread(new URL("./pdf-worker.js", import.meta.url), bytes);
}
