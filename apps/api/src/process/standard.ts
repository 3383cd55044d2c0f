import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";
import { readableLine } from "./readable-line.ts";
import { createWriter } from "./writer.ts";

/* The output of the service and the migration. It never blocks on a slow reader. The command line does not use it. */

replaceClosedTerminal();

/** For messages to users, such as the banner. */
export const standardOutput = createWriter(nonBlocking(process.stdout));

/** For the log and for errors. */
export const standardError = createWriter(nonBlocking(process.stderr));

/** The log's destination: standard error, as JSON lines, or as readable lines on a terminal. */
export const logDestination = {
  write: isatty(2)
    ? (line: string) => standardError.write(readableLine(line))
    : (line: string) => standardError.write(line),
  dropped: standardError.dropped,
};

/** How long the process waits for a slow reader before it exits, in milliseconds. */
const flushMs = 100;

/** Flushes the output and ends the process. */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([standardOutput.flush(flushMs), standardError.flush(flushMs)]);
  process.exit(code);
}

/**
 * Makes writes to a terminal non-blocking: a paused terminal would pause the process. Node's streams of pipes and
 * sockets are non-blocking already. Node has no public method for it.
 */
function nonBlocking(stream: NodeJS.WriteStream & { _handle?: { setBlocking?(on: boolean): void } }) {
  stream._handle?.setBlocking?.(false);
  return stream;
}

/**
 * On exit, Node restores the settings of its terminal, and aborts with a core dump if that terminal is closed. This
 * replaces a closed terminal by /dev/null on exit.
 */
function replaceClosedTerminal(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on("exit", () => {
    for (const fd of terminals.filter((each) => !isatty(each))) {
      closeSync(fd);
      // The system assigns the lowest free number, which is this one.
      openSync("/dev/null", "r+");
    }
  });
}
