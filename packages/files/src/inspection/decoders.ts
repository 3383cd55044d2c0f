import type { Inspected } from "@cardbridge/domain";
import type { ProcessBounds } from "../processes/messages.ts";
import { createProcessPool } from "../processes/process-pool.ts";
import type { PdfProgress } from "../rendering/rendered.ts";
import type { Decoded, FileToDecode } from "./decoded.ts";
import type { FileKind } from "./file-type.ts";
import { fileViolation } from "./violation.ts";

export interface Decoders {
  /**
   * Re-encodes an image, or checks a PDF and renders pages of it. `page` is the page of a PDF to continue with.
   * @throws Failure of the violated rule; SERVICE_UNAVAILABLE if a process fails
   */
  decode(kind: FileKind, bytes: Uint8Array, page?: number): Promise<Inspected | PdfProgress>;
  /** Kills every process. Files in progress and later files fail with SERVICE_UNAVAILABLE. */
  close(): void;
}

export interface DecodersOptions extends Partial<ProcessBounds> {
  /** The number of processes that decode concurrently. Further files wait in a queue. Default: 2. */
  processes?: number;
  /** The program of a process. Default: in the folder of this module, or of the bundle that contains it. */
  program?: URL;
  /** The time limit of one file, in milliseconds, which only a hanging process reaches. Default: 60 s. */
  timeoutMs?: number;
  /** The CPU time of a decoder after which the further pages of a PDF wait for their turn. Default: 1 s. */
  pagesMs?: number;
  /**
   * The memory in MB above which a new process replaces one after a file. Default: 100; a new process needs 30, and one
   * that has decoded photos about 60.
   */
  recycleMb?: number;
}

/**
 * Decodes files in child processes, because native code in a thread cannot be stopped. The default limits are below 3 s
 * and 300 MB to allow for usage between two measurements.
 */
export function createDecoders({
  processes = 2,
  program = new URL("./decoder.js", import.meta.url),
  cpuMs = 2_900,
  memoryMb = 230,
  timeoutMs = 60_000,
  pagesMs = 1_000,
  recycleMb = 100,
}: DecodersOptions = {}): Decoders {
  const pool = createProcessPool<FileToDecode, Decoded>({
    processes,
    program,
    bounds: { cpuMs, memoryMb },
    timeoutMs,
    recycleMb,
  });
  return {
    async decode(kind, bytes, page = 1) {
      const decoded = await pool.run({ kind, bytes, page, pagesMs });
      if (!decoded) throw fileViolation(kind === "pdf" ? "pdf-too-complex" : "file-too-complex");
      if ("rule" in decoded) throw fileViolation(decoded.rule);
      return decoded;
    },
    close: pool.close,
  };
}
