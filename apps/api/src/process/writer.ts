import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Writes lines without blocking or failing. It drops and counts lines that it cannot write. */
export interface Writer {
  /** Writes complete lines, each with a line break. */
  write(lines: string): void;
  /** The number of dropped lines. */
  dropped(): number;
  /** Waits up to `millis` until the reader has everything. */
  flush(millis: number): Promise<void>;
}

/** The maximum size of the buffer for a slow reader: the capacity of a pipe. */
const maxWaitingBytes = 65_536;
/** The delay before the next write to a full pipe. */
const retryMs = 20;

/** Creates a writer for a non-blocking descriptor (`nonBlocking`). */
export function createWriter(fd: number): Writer {
  /** Oldest first. */
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  /** Whether the first buffer is partially written. */
  let partial = false;
  /** Whether the rest of a partial line was dropped. The next line then starts with a line break. */
  let torn = false;
  let isRetrying = false;

  return {
    write(lines) {
      const bytes = Buffer.from(lines);
      if (waitingBytes + bytes.length > maxWaitingBytes) {
        dropped += countLines(bytes);
      } else {
        waiting.push(bytes);
        waitingBytes += bytes.length;
      }
      writeWaiting();
    },
    dropped: () => dropped,
    async flush(millis) {
      const end = performance.now() + millis;
      while (waiting.length > 0 && performance.now() < end) await wait(retryMs);
    },
  };

  function writeWaiting(): void {
    try {
      for (let [first] = waiting; first; [first] = waiting) {
        const bytes = torn ? Buffer.concat([Buffer.from("\n"), first]) : first;
        const left = bytes.subarray(writeSync(fd, bytes));
        waitingBytes -= first.length - left.length;
        torn = false;
        partial = left.length > 0;
        if (partial) waiting[0] = left;
        else waiting.shift();
      }
    } catch (error) {
      if (isFull(error)) retry();
      else dropWaiting();
    }
  }

  function retry(): void {
    if (isRetrying) return;
    isRetrying = true;
    setTimeout(() => {
      isRetrying = false;
      writeWaiting();
    }, retryMs).unref();
  }

  function dropWaiting(): void {
    for (const bytes of waiting.splice(0)) dropped += countLines(bytes);
    waitingBytes = 0;
    torn ||= partial;
    partial = false;
  }
}

/** Whether the pipe is full. Every other error means that the line cannot be written. */
function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

function countLines(bytes: Buffer): number {
  return bytes.filter((byte) => byte === 0x0a).length;
}
