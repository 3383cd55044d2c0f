import { Worker } from "node:worker_threads";

/** Most PDFs need less than 200 MB. The limits of the process also cover what is outside of the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

/**
 * Runs a program in a thread of its own and returns its message. The thread that monitors this process stays free, and
 * the memory of the program is freed.
 * @throws the error of the thread: ERR_WORKER_OUT_OF_MEMORY at the limit of the heap
 */
export async function runInThread<Result>(program: URL, workerData: unknown): Promise<Result> {
  // A library may print content of the file.
  const thread = new Worker(program, { workerData, resourceLimits, stdout: true, stderr: true, env: {} });
  try {
    return await new Promise<Result>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`The thread exited with code ${code}.`)));
    });
  } finally {
    await thread.terminate();
  }
}
