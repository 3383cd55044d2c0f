import { Failure, type Inspected } from "@cardbridge/domain";
import pLimit from "p-limit";
import type { DecoderBounds } from "./decoded.ts";
import { type DecoderProcess, startDecoderProcess } from "./decoder-process.ts";
import type { FileKind } from "./file-type.ts";
import { fileViolation } from "./violation.ts";

export interface Decoders {
  /** @throws Failure of the violated rule; SERVICE_UNAVAILABLE if a process fails */
  decode(kind: FileKind, bytes: Uint8Array): Promise<Inspected>;
  /** Kills every process. Files in progress and later files fail with SERVICE_UNAVAILABLE. */
  close(): void;
}

export interface DecodersOptions extends Partial<DecoderBounds> {
  /** The number of processes that decode concurrently. Further files wait in a queue. Default: 2. */
  processes?: number;
  /** The program of a process. Default: in the folder of this module, or of the bundle that contains it. */
  program?: URL;
  /** The time limit of one file, in milliseconds, which only a hanging process reaches. Default: 60 s. */
  timeoutMs?: number;
}

/** A new process needs 80 MB; a process that has decoded photos needs about 110 MB. */
const recycleMb = 130;

/**
 * Decodes files in child processes, because native code in a thread cannot be stopped. A process starts with the first
 * file that needs it. The default limits are below 3 s and 300 MB to allow for usage between two measurements.
 */
export function createDecoders({
  processes = 2,
  program = new URL("./decoder.js", import.meta.url),
  cpuMs = 2_900,
  rssMb = 285,
  timeoutMs = 60_000,
}: DecodersOptions = {}): Decoders {
  const limit = pLimit(processes);
  const all = new Set<DecoderProcess>();
  const idle: DecoderProcess[] = [];
  let closed = false;

  function take(): DecoderProcess {
    for (;;) {
      const process = idle.pop();
      if (!process) break;
      if (process.usable()) return process;
      all.delete(process);
    }
    const process = startDecoderProcess({ program, timeoutMs, recycleMb });
    all.add(process);
    return process;
  }

  function giveBack(process: DecoderProcess): void {
    if (process.usable()) idle.push(process);
    else all.delete(process);
  }

  return {
    decode: (kind, bytes) =>
      limit(async () => {
        if (closed) throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 });
        const process = take();
        try {
          const decoded = await process.decode({ kind, bytes, bounds: { cpuMs, rssMb } });
          if ("rule" in decoded) throw fileViolation(decoded.rule);
          return decoded;
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
