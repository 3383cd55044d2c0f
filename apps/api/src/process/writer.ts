import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Writes lines, and never waits or fails: what cannot be written is dropped and counted. */
export interface Writer {
  /** Takes whole lines, each with its line end. */
  write(lines: string): void;
  /** How many lines were dropped so far. */
  dropped(): number;
  /** Waits until a slow reader has everything, for so many milliseconds at most. */
  flush(millis: number): Promise<void>;
}

/** How much may wait for a slow reader: as much as a pipe holds. */
const maxWaitingBytes = 65_536;
/** How long a full pipe is left alone before the next try. */
const retryMs = 20;

/** Writes to a descriptor that never blocks (`nonBlocking`). */
export function createWriter(fd: number): Writer {
  /** Oldest first. */
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  /** Whether the first that waits is written in part. */
  let begun = false;
  /** Whether the rest of a begun line was dropped: the next line needs a line end before it. */
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
        begun = left.length > 0;
        if (begun) waiting[0] = left;
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
    torn ||= begun;
    begun = false;
  }
}

/** Whether the reader is slow; every other error means that the line cannot be written. */
function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

function countLines(bytes: Buffer): number {
  return bytes.filter((byte) => byte === 0x0a).length;
}
