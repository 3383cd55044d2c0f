import { runCommandLine } from "./command-line.ts";

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader that stops early, such as head, is not a failure. Any other write error is.
  if (code === "EPIPE") process.exit();
  process.stderr.write(`Standard output cannot be written (${code}).\n`);
  process.exit(1);
});
// A failed write to standard error cannot be reported.
process.stderr.on("error", () => {});

process.exitCode = await runCommandLine(process.argv.slice(2), process);
