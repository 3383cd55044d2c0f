/** How far a long command has come: one line that is written over, on a terminal only. */
export function progressLine<T>(words: (done: T) => string) {
  const { isTTY = false } = process.stderr;
  const write = (line: string) => isTTY && process.stderr.write(`\r\u001b[K${line}`);
  return {
    onProgress: (done: T) => void write(`${words(done)} …`),
    end: () => void write(""),
  };
}
