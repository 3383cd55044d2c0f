/** Writes one line of JSON to the error output, where people and collectors read it. */
export function log(line: object): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
