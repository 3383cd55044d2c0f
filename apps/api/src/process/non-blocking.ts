import { constants, fstatSync, openSync } from "node:fs";
import { isatty } from "node:tty";

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * A descriptor of the same destination on which a write fails with EAGAIN where it would wait. A regular file stays as
 * it is. So does a terminal on a system without /proc: there, a paused terminal pauses the process.
 */
export function nonBlocking(fd: 1 | 2): number {
  // Node makes a pipe or a socket non-blocking when it makes the stream. Nobody else listens to the stream's errors.
  const stream = fd === 1 ? process.stdout : process.stderr;
  stream.on("error", () => {});
  if (!fstatSync(fd).isFIFO() && !isatty(fd)) return fd;
  try {
    // The flag of a descriptor opened anew is ours: a process that shares the inherited one cannot take it away.
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return fd;
  }
}
