import { isatty } from "node:tty";
import { replaceClosedTerminal } from "./closed-terminal.ts";
import { nonBlocking } from "./non-blocking.ts";
import { readableLine } from "./readable-line.ts";
import { createWriter } from "./writer.ts";

/* The output of the service and the migration, which never blocks on a slow reader. The command line does not use it. */

replaceClosedTerminal();

/** For messages to users, such as the banner. */
export const standardOutput = createWriter(nonBlocking(1));

/** For the log and for errors. */
export const standardError = createWriter(nonBlocking(2));

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
