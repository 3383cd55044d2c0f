import type { Command } from "commander";
import { commandContext } from "./command-context.ts";
import { CommandError } from "./command-error.ts";

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

/** Gives a command `--json` and an action, prints the report that the action returns, and throws its problem. */
export function reportAction<A extends unknown[]>(
  command: Command,
  run: (...args: A) => Promise<Report>,
): void {
  command.option("--json", "print one JSON document").action(async (...args) => {
    const { document, text, note, problem } = await run(...(args as A));
    const { stdout, stderr } = commandContext();
    const json = command.opts().json === true;
    if (json) stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    else if (text !== "") stdout.write(`${text}\n`);
    if (!json && note !== undefined) stderr.write(`${note}\n`);
    if (problem !== undefined) throw new CommandError(problem);
  });
}

/** The maximum length of a line: the terminal's width. Lines for a file or a pipe are not cut. */
export function lineWidth(): number {
  return commandContext().stdout.columns ?? Number.POSITIVE_INFINITY;
}
