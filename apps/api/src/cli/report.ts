import type { Command } from "commander";

/** The result of a command. */
export interface Report {
  /** For programs, with `--json`: its field names are stable. */
  document: unknown;
  /** For people, on standard output. */
  text: string;
  /** For people, on standard error: what a pipe must not read. */
  note?: string | undefined;
  /** Why the command did not reach its goal, on standard error; the exit code is then 1. */
  problem?: string | undefined;
}

/** Gives a command `--json` and an action, and prints the report that the action returns. */
export function reportAction<A extends unknown[]>(
  command: Command,
  run: (...args: A) => Promise<Report>,
): void {
  command.option("--json", "print one JSON document").action(async (...args) => {
    const { document, text, note, problem } = await run(...(args as A));
    const json = command.opts().json === true;
    if (json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    else if (text !== "") process.stdout.write(`${text}\n`);
    if (!json && note !== undefined) process.stderr.write(`${note}\n`);
    if (problem === undefined) return;
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  });
}

/** The maximum length of a line: the terminal's width. Lines for a file or a pipe are not cut. */
export function lineWidth(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY;
}
