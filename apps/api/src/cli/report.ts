import type { Command } from "commander";

/** What a command came to. */
export interface Report {
  /** For programs, with `--json`: names that stay. */
  document: unknown;
  /** For people. */
  text: string;
  /** What people are told on standard error, where the text is for a pipe. */
  note?: string | undefined;
  /** Why what was asked for could not be done; the exit code is then 1. */
  problem?: string | undefined;
}

/** Gives a command its `--json` and its action, and has what that returns printed. */
export function reports<A extends unknown[]>(command: Command, run: (...args: A) => Promise<Report>): void {
  command.option("--json", "print one JSON document").action(async (...args) => {
    const { document, text, note, problem } = await run(...(args as unknown as A));
    const json = command.opts().json === true;
    if (json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    else if (text !== "") process.stdout.write(`${text}\n`);
    if (!json && note !== undefined) process.stderr.write(`${note}\n`);
    if (problem === undefined) return;
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  });
}

/** How long a line may be: as a terminal is wide; in a file or a pipe nothing is cut. */
export function lineWidth(): number {
  return process.stdout.columns ?? Number.POSITIVE_INFINITY;
}
