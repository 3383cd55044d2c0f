import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../../src/cli/command-line.ts";

/** Runs one command of the command line in this process, with only the given environment and input. */
export async function runCommand(args: readonly string[], env: Record<string, string>, input = "") {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommandLine(args, { env, stdin: Readable.from([input]), stdout, stderr });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

/** The lines of a table or a list of fields, each as its cells. */
export const cellsOf = (stdout: string): string[][] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));
