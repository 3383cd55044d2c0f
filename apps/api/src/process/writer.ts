import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";

/** Writes lines without blocking or failing. It drops and counts lines that it cannot write. */
export interface Writer {
  /** Writes complete lines, each with a line break. */
  write(lines: string): void;
  /** The number of writes that were dropped. */
  dropped(): number;
  /** Waits up to `ms` until the reader has everything. */
  flush(ms: number): Promise<void>;
}

/** The maximum length of the buffer for a slow reader: the capacity of a pipe. */
const maxWaiting = 65_536;

/**
 * Creates a writer for a stream that never blocks, and stays usable after an error, such as the standard streams of
 * Node.
 */
export function createWriter(stream: Writable): Writer {
  let dropped = 0;
  const countFailure = (error: unknown) => {
    if (error) dropped += 1;
  };
  // An error without a listener would end the process.
  stream.on("error", () => {});
  let isJoining = false;
  process.once("exit", writeJoined);

  /** Joins the lines of one turn of the event loop. Separate writes cost a tenth of a card list's CPU time. */
  function join(): void {
    if (isJoining) return;
    isJoining = true;
    stream.cork();
    setImmediate(writeJoined);
  }

  function writeJoined(): void {
    if (isJoining) stream.uncork();
    isJoining = false;
  }

  return {
    write(lines) {
      join();
      if (stream.writableLength + lines.length > maxWaiting) dropped += 1;
      else stream.write(lines, countFailure);
    },
    dropped: () => dropped,
    async flush(ms) {
      writeJoined();
      const flushed = new Promise((resolve) => stream.write("", resolve));
      await Promise.race([flushed, wait(ms)]);
    },
  };
}
