import { type ChildProcess, fork } from "node:child_process";
import { Failure } from "@cardbridge/domain";
import type { Decoded, DecoderRequest, DecoderResponse } from "./decoded.ts";

export interface DecoderProcess {
  /**
   * Decodes one file. A second file waits for the result of the first.
   * @throws Failure SERVICE_UNAVAILABLE if the process fails or does not respond within its time limit
   */
  decode(request: DecoderRequest): Promise<Decoded>;
  /** False after the process has ended or if it has to be replaced. */
  usable(): boolean;
  /** Kills the process. */
  end(): void;
}

export interface DecoderProcessOptions {
  /** The program of the process. */
  program: URL;
  /** The time limit of one file, in milliseconds. It kills a process that hangs without using CPU time. */
  timeoutMs: number;
  /** A process that uses more resident megabytes than this after a file is replaced. */
  recycleMb: number;
}

/** Starts a decoder without environment variables, output, or the Node options of this process. */
export function startDecoderProcess({
  program,
  timeoutMs,
  recycleMb,
}: DecoderProcessOptions): DecoderProcess {
  const child = fork(program, {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {},
    execArgv: [],
  });
  let usable = true;
  const end = () => {
    usable = false;
    child.kill("SIGKILL");
  };
  child.on("error", end).on("exit", end);
  // An idle decoder must not keep this process alive.
  child.unref();
  child.channel?.unref();

  return {
    usable: () => usable,
    end,
    async decode(request) {
      const response = await answerOf(child, request, timeoutMs).catch((cause) => {
        end();
        throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
      });
      if ("exceeded" in response) {
        end();
        return { rule: request.kind === "pdf" ? "pdf-too-complex" : "file-too-complex" };
      }
      if (response.rssMb > recycleMb) end();
      return response.decoded;
    },
  };
}

type Answer = Exclude<DecoderResponse, { failed: string }>;

/** Resolves with the next message. Rejects if the process fails, ends or does not respond in time. */
async function answerOf(child: ChildProcess, request: DecoderRequest, timeoutMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const fail = (message: string) => reject(new Error(message));
  const onMessage = (response: DecoderResponse) =>
    "failed" in response ? fail(`The decoder failed: ${response.failed}.`) : resolve(response);
  const onExit = (code: number | null, signal: string | null) =>
    fail(`The decoder exited: ${signal ?? code}.`);
  const timer = setTimeout(() => fail("The decoder did not respond."), timeoutMs);
  child.once("message", onMessage).once("exit", onExit).once("error", reject);
  child.send(request, (error) => error && reject(error));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage).off("exit", onExit).off("error", reject);
  }
}
