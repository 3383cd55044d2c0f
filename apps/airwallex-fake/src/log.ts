// A closed pipe must not end the process.
process.stderr.on("error", () => {});

/** Writes one line of JSON to standard error. */
export function log(line: object): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
