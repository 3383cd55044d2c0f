import { runCommandLine } from "./command-line.ts";

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader that stops early, such as head, is no failure. Another lost result is.
  if (code === "EPIPE") process.exit();
  process.stderr.write(`Standard output cannot be written (${code}).\n`);
  process.exit(1);
});
// There is nowhere to report this.
process.stderr.on("error", () => {});

process.exitCode = await runCommandLine(process.argv.slice(2), process);
