/** Ends the command where its output cannot be written: what it found or made would be lost without a word. */
export function watchOutput(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    // A reader that has enough, such as head, is no failure.
    if (code === "EPIPE") process.exit();
    process.stderr.write(`Standard output cannot be written (${code}).\n`);
    process.exit(1);
  });
  // What cannot be said there can be said nowhere.
  process.stderr.on("error", () => {});
}
