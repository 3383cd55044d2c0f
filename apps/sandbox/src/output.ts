/** What waits for a reader that does not read; lines on top are dropped. */
const maxWaitingBytes = 65_536;

// A closed terminal, a closed pipe or a full disk is no reason to end.
process.stderr.on("error", () => {});

/** Writes one line of JSON to the error output, where people and collectors read it. */
export function log(line: object): void {
  if (process.stderr.writableLength < maxWaitingBytes) process.stderr.write(`${JSON.stringify(line)}\n`);
}
