import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * On exit, Node restores the settings of its terminal, and aborts with a core dump if that terminal is closed. This
 * replaces a closed terminal by /dev/null on exit.
 */
export function replaceClosedTerminal(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on("exit", () => {
    for (const fd of terminals.filter((each) => !isatty(each))) {
      closeSync(fd);
      // The system assigns the lowest free number, which is this one.
      openSync("/dev/null", "r+");
    }
  });
}
