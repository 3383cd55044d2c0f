/** Shows the progress of a long run: one updated line on a terminal, otherwise one line a minute. */
export function createProgress(total: number) {
  const { stderr } = process;
  const began = Date.now();
  let [runs, submissions, printedAt] = [0, 0, 0];

  function line(failures: number): string {
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    return `${runs} of ${total} runs, ${submissions} submissions, ${failures} violations, ${minutes} min`;
  }

  return {
    print: (text: string) => void stderr.write(`${stderr.isTTY ? "\r\x1b[K" : ""}${text}\n`),
    advance(more: number, failures: number): void {
      runs += 1;
      submissions += more;
      if (stderr.isTTY) stderr.write(`\r\x1b[K${line(failures)}`);
      else if (Date.now() - printedAt > 60_000 || runs === total) {
        printedAt = Date.now();
        stderr.write(`${line(failures)}\n`);
      }
    },
  };
}
