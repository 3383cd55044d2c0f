import { Worker } from "node:worker_threads";
import { errorCode, Failure } from "@cardbridge/domain";
import { type FileRule, fileViolation } from "./violation.ts";

export interface PdfLimits {
  /** The time limit of one PDF, in milliseconds. A long statement takes a tenth of the default. */
  ms: number;
  heapMb: number;
  /** The program of the thread. Default: in the folder of this module, or of the bundle that contains it. */
  worker: URL;
}

const defaults: PdfLimits = {
  ms: 10_000,
  heapMb: 128,
  worker: new URL("./pdf-worker.js", import.meta.url),
};

/**
 * Validates a PDF in a separate thread, which cannot exceed the limits.
 * @throws Failure file-broken, pdf-encrypted, pdf-active or pdf-too-complex; SERVICE_UNAVAILABLE when the thread fails
 */
export async function checkPdf(bytes: Uint8Array, limits: Partial<PdfLimits> = {}): Promise<void> {
  const rule = await violatedRule(bytes, { ...defaults, ...limits });
  if (rule) throw fileViolation(rule);
}

async function violatedRule(bytes: Uint8Array, limits: PdfLimits): Promise<FileRule | null> {
  const thread = new Worker(limits.worker, {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32 },
    // The library may print content of the file.
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
      thread.once("error", (cause) =>
        errorCode(cause) === "ERR_WORKER_OUT_OF_MEMORY" ? resolve("pdf-too-complex") : unavailable(cause),
      );
      thread.once("exit", (code) => unavailable(new Error(`The PDF thread exited with code ${code}.`)));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
