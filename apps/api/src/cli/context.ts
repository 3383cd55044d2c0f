import type { Readable, Writable } from "node:stream";

/** The environment and the streams of a command. Node's `process` has all of them. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  /** A terminal has a width. Lines for a file or a pipe are not cut. */
  readonly stdout: Writable & { columns?: number };
  readonly stderr: Writable & { columns?: number; isTTY?: boolean };
}

/** Replaces the last line on a terminal, to show a command's progress. */
export function showProgress({ stderr }: Pick<CommandContext, "stderr">, line: string): void {
  if (stderr.isTTY === true) stderr.write(`\r\u001b[K${line}`);
}
