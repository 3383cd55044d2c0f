import type { Readable, Writable } from "node:stream";

/** What a command reads and writes beside its arguments. A process has all of it. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  /** A terminal has a width. Lines for a file or a pipe are not cut. */
  readonly stdout: Writable & { columns?: number };
  readonly stderr: Writable & { columns?: number; isTTY?: boolean };
}

/** Replaces the last line on a terminal, to show how far a command is. */
export function showProgress({ stderr }: Pick<CommandContext, "stderr">, line: string): void {
  if (stderr.isTTY === true) stderr.write(`\r\u001b[K${line}`);
}
