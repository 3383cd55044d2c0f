import { isatty } from "node:tty";
import { leaveClosedTerminal } from "./closed-terminal.ts";
import { nonBlocking } from "./non-blocking.ts";
import { readableLine } from "./readable-line.ts";
import { createWriter } from "./writer.ts";

/* What the service and the migration write. The command line waits for its reader instead: it serves nobody else. */

leaveClosedTerminal();

/** For sentences to people, such as the banner. */
export const standardOutput = createWriter(nonBlocking(1));

/** For the log and for errors. */
export const standardError = createWriter(nonBlocking(2));

/** Where the log goes: JSON lines to standard error, or lines for people where that is a terminal. */
export const logDestination = {
  write: isatty(2)
    ? (line: string) => standardError.write(readableLine(line))
    : (line: string) => standardError.write(line),
  dropped: standardError.dropped,
};

/** How long the end of the process may wait for a slow reader, in milliseconds. */
const flushMs = 100;

/** Ends the process, once what it wrote last is read. */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([standardOutput.flush(flushMs), standardError.flush(flushMs)]);
  process.exit(code);
}
