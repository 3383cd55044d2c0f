import { commandContext } from "./command-context.ts";

/** Shows the progress of a long command on one line that each update replaces; on a terminal only. */
export function createProgressLine<T>(describe: (progress: T) => string) {
  const { stderr } = commandContext();
  const write = (line: string) => stderr.isTTY === true && stderr.write(`\r\u001b[K${line}`);
  return {
    update: (progress: T) => void write(`${describe(progress)} …`),
    clear: () => void write(""),
  };
}
