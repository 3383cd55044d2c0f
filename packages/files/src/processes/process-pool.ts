import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { Failure } from "@cardbridge/domain";
import pLimit from "p-limit";
import type { ProcessBounds, ProcessRequest, ProcessResponse } from "./messages.ts";

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

interface LimitedProcess<Input, Result> {
  /**
   * Does one piece of work, and returns null if the process exceeded a limit. A second one waits for the first.
   * @throws Failure SERVICE_UNAVAILABLE if the process fails or does not respond within its time limit
   */
  run(input: Input): Promise<Result | null>;
  /** False after the process has ended or if it has to be replaced. */
  usable(): boolean;
  /** Kills the process. */
  end(): void;
}

interface LimitedProcessOptions {
  /** The program of the process. It calls `answerRequests`. */
  program: URL;
  bounds: ProcessBounds;
  /** The time limit of one piece of work, in milliseconds. It kills a process that hangs without using CPU time. */
  timeoutMs: number;
  /** A process that uses more megabytes than this after its work is replaced. */
  recycleMb: number;
  /** The process's scheduling priority, as in `os.constants.priority`. Default: that of this process. */
  priority?: number | undefined;
}

/** Starts a process without environment variables, output, or the Node options of this process. */
function startLimitedProcess<Input, Result>({
  program,
  bounds,
  timeoutMs,
  recycleMb,
  priority,
}: LimitedProcessOptions): LimitedProcess<Input, Result> {
  const child = fork(program, {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {},
    execArgv: [],
  });
  // Some containers do not allow another priority.
  try {
    if (child.pid !== undefined && priority !== undefined) setPriority(child.pid, priority);
  } catch {}
  let usable = true;
  const end = () => {
    usable = false;
    child.kill("SIGKILL");
  };
  child.on("error", end).on("exit", end);
  // An idle process must not keep this one alive.
  child.unref();
  child.channel?.unref();

  return {
    usable: () => usable,
    end,
    async run(input) {
      const request: ProcessRequest<Input> = { input, bounds };
      const response = await answerOf<Result>(child, request, timeoutMs).catch((cause) => {
        end();
        throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
      });
      if ("exceeded" in response) {
        end();
        return null;
      }
      if (response.memoryMb > recycleMb) end();
      return response.result;
    },
  };
}

type Answer<Result> = Exclude<ProcessResponse<Result>, { failed: string }>;

/** Resolves with the next message. Rejects if the process fails, ends or does not respond in time. */
async function answerOf<Result>(
  child: ChildProcess,
  request: ProcessRequest<unknown>,
  timeoutMs: number,
): Promise<Answer<Result>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<Result>>();
  const fail = (message: string) => reject(new Error(message));
  const onMessage = (response: ProcessResponse<Result>) =>
    "failed" in response ? fail(`The process failed: ${response.failed}.`) : resolve(response);
  const onExit = (code: number | null, signal: string | null) =>
    fail(`The process exited: ${signal ?? code}.`);
  const timer = setTimeout(() => fail("The process did not respond."), timeoutMs);
  child.once("message", onMessage).once("exit", onExit).once("error", reject);
  child.send(request, (error) => error && reject(error));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage).off("exit", onExit).off("error", reject);
  }
}
