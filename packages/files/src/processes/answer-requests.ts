import type { ProcessRequest, ProcessResponse } from "./messages.ts";
import { usedMemoryMb, watchUsage } from "./usage.ts";

/**
 * Does the work of this process for each request of its parent, within the limits of the request. The work runs in other
 * threads, so this thread can always end the process.
 */
export function answerRequests<Input, Result>(work: (input: Input) => Promise<Result>): void {
  // The service ended, possibly by SIGKILL. This process must not outlive it.
  process.on("disconnect", end);
  // A terminal and systemd signal the whole process group. The service finishes its work before it ends its processes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

  process.on("message", async ({ input, bounds }: ProcessRequest<Input>) => {
    const stop = watchUsage(bounds, (exceeded) => respond({ exceeded }, end));
    try {
      const result = await work(input);
      respond({ result, memoryMb: usedMemoryMb() });
    } catch (error) {
      // The message may contain content of the file.
      respond({ failed: error instanceof Error ? error.name : "unknown" }, end);
    } finally {
      stop();
    }
  });
}

function respond(response: ProcessResponse<unknown>, sent?: () => void): void {
  process.send?.(response, undefined, undefined, sent);
}

function end(): void {
  process.kill(process.pid, "SIGKILL");
}
