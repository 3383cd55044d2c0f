import { Worker } from "node:worker_threads";
import { Failure } from "@cardbridge/domain";
import { type FileRule, refusal } from "./refusal.ts";

export interface PdfLimits {
  /** The whole time of one PDF; a long statement takes a tenth of the default. */
  ms: number;
  heapMb: number;
  /** The program of the thread: beside this module, and beside the bundle that holds it. */
  worker: URL;
}

const defaults: PdfLimits = {
  ms: 10_000,
  heapMb: 128,
  worker: new URL("./pdf-worker.js", import.meta.url),
};

/**
 * Reads a PDF in a thread of its own, which it cannot make longer or larger than the limits.
 * @throws Failure file-broken, pdf-encrypted, pdf-active, pdf-too-complex; SERVICE_UNAVAILABLE.
 */
export async function checkPdf(bytes: Uint8Array, limits: Partial<PdfLimits> = {}): Promise<void> {
  const rule = await ruleBroken(bytes, { ...defaults, ...limits });
  if (rule) throw refusal(rule);
}

async function ruleBroken(bytes: Uint8Array, limits: PdfLimits): Promise<FileRule | null> {
  const thread = new Worker(limits.worker, {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32 },
    // The library may print what it meets in a file.
    stdout: true,
    stderr: true,
    env: {},
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<FileRule | null>((resolve, reject) => {
      const unavailable = (cause: unknown) =>
        reject(new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause }));
      timer = setTimeout(() => resolve("pdf-too-complex"), limits.ms);
      thread.once("message", resolve);
      thread.once("error", (cause: NodeJS.ErrnoException) =>
        cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve("pdf-too-complex") : unavailable(cause),
      );
      thread.once("exit", (code) => unavailable(new Error(`The PDF thread ended with ${code}.`)));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
