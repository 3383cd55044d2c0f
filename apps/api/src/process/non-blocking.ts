import { constants, fstatSync, openSync } from "node:fs";
import { isatty } from "node:tty";

const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * Returns a descriptor of the same destination whose writes fail with EAGAIN instead of blocking. Regular files stay
 * unchanged, and so do terminals without /proc: there, a paused terminal pauses the process.
 */
export function nonBlocking(fd: 1 | 2): number {
  // Creating the stream makes a pipe or a socket non-blocking. The stream needs an error listener.
  const stream = fd === 1 ? process.stdout : process.stderr;
  stream.on("error", () => {});
  if (!fstatSync(fd).isFIFO() && !isatty(fd)) return fd;
  try {
    // A new descriptor has its own flags: processes that share the inherited one cannot reset them.
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return fd;
  }
}
