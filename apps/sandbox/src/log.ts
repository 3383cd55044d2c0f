/** The maximum size of unread output. Further lines are dropped. */
const maxBufferedBytes = 65_536;

// A closed terminal, a closed pipe or a full disk must not end the process.
process.stderr.on("error", () => {});

/** Writes one line of JSON to standard error. */
export function log(line: object): void {
  if (process.stderr.writableLength < maxBufferedBytes) process.stderr.write(`${JSON.stringify(line)}\n`);
}
