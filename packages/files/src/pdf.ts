import { Worker } from "node:worker_threads";
import { Failure } from "@cardbridge/domain";
import { type FileRule, refusal } from "./refusal.ts";

/** Beside this module, and beside the bundle that holds it. */
const worker = new URL("./pdf-worker.js", import.meta.url);

/** What one PDF may cost; a long statement takes a tenth of it. */
const defaults = { ms: 10_000, heapMb: 128 };

/**
 * Reads a PDF in a thread of its own, which it cannot make longer or larger than the limits.
 * @throws Failure file-broken, pdf-encrypted, pdf-active, pdf-too-complex; SERVICE_UNAVAILABLE.
 */
export async function checkPdf(bytes: Uint8Array, limits = defaults): Promise<void> {
  const rule = await ruleBroken(bytes, limits);
  if (rule) throw refusal(rule);
}

async function ruleBroken(bytes: Uint8Array, limits: typeof defaults): Promise<FileRule | null> {
  const thread = new Worker(worker, {
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
