import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";

/**
 * At its end Node restores the settings of the terminal that it was started on, and aborts, with a core dump, where that
 * terminal is closed. This puts /dev/null in its place, just before.
 */
export function leaveClosedTerminal(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on("exit", () => {
    for (const fd of terminals.filter((each) => !isatty(each))) {
      closeSync(fd);
      // The system gives the lowest number that is free, which is this one.
      openSync("/dev/null", "r+");
    }
  });
}
