/** Ends the command when standard output cannot be written: its result would be lost silently. */
export function exitOnOutputError(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    // A reader that stops early, such as head, is no failure.
    if (code === "EPIPE") process.exit();
    process.stderr.write(`Standard output cannot be written (${code}).\n`);
    process.exit(1);
  });
  // There is nowhere to report this.
  process.stderr.on("error", () => {});
}
