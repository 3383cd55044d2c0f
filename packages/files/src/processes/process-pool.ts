import { Failure } from "@cardbridge/domain";
import pLimit from "p-limit";
import { type LimitedProcess, type LimitedProcessOptions, startLimitedProcess } from "./limited-process.ts";

export interface ProcessPool<Input, Result> {
  /**
   * Does one piece of work, and returns null if its process exceeded a limit.
   * @throws Failure SERVICE_UNAVAILABLE if a process fails
   */
  run(input: Input): Promise<Result | null>;
  /** Kills every process. Work in progress and later work fails with SERVICE_UNAVAILABLE. */
  close(): void;
}

interface ProcessPoolOptions extends LimitedProcessOptions {
  /** The number of processes that work concurrently. Further work waits in a queue. */
  processes: number;
}

/** Creates a pool of child processes with limits. A process starts with the first work that needs it. */
export function createProcessPool<Input, Result>({
  processes,
  ...options
}: ProcessPoolOptions): ProcessPool<Input, Result> {
  const limit = pLimit(processes);
  const all = new Set<LimitedProcess<Input, Result>>();
  const idle: LimitedProcess<Input, Result>[] = [];
  let closed = false;

  function take(): LimitedProcess<Input, Result> {
    for (;;) {
      const process = idle.pop();
      if (!process) break;
      if (process.usable()) return process;
      all.delete(process);
    }
    const process = startLimitedProcess<Input, Result>(options);
    all.add(process);
    return process;
  }

  function giveBack(process: LimitedProcess<Input, Result>): void {
    if (process.usable()) idle.push(process);
    else all.delete(process);
  }

  return {
    run: (input) =>
      limit(async () => {
        if (closed) throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 });
        const process = take();
        try {
          return await process.run(input);
        } finally {
          giveBack(process);
        }
      }),
    close() {
      closed = true;
      for (const process of all) process.end();
    },
  };
}
