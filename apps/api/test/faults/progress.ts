/** Shows how far a long run is: one line that changes on a terminal, one a minute elsewhere. */
export function progress(total: number) {
  const { stderr } = process;
  const began = Date.now();
  let [plays, submissions, said] = [0, 0, 0];

  function line(failures: number): string {
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    return `${plays} of ${total} plays, ${submissions} submissions, ${failures} broken promises, ${minutes} min`;
  }

  return {
    say: (words: string) => void stderr.write(`${stderr.isTTY ? "\r\x1b[K" : ""}${words}\n`),
    done(more: number, failures: number): void {
      plays += 1;
      submissions += more;
      if (stderr.isTTY) stderr.write(`\r\x1b[K${line(failures)}`);
      else if (Date.now() - said > 60_000 || plays === total) {
        said = Date.now();
        stderr.write(`${line(failures)}\n`);
      }
    },
  };
}
