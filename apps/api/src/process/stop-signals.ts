import { isatty } from "node:tty";

/** A terminal and npm may each deliver one Ctrl-C. What comes later than this is a second one. */
const sameSignalMs = 1_000;

/**
 * Calls `stop` at the first SIGINT or SIGTERM, or when the terminal closes; a second signal a second later ends the
 * process at once. `stop` is given what a person may do meanwhile.
 */
export function onStopSignal(stop: (advice: string) => void): void {
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = performance.now();
      stop(signal === "SIGINT" ? " Press Ctrl-C again to cut them off." : "");
    } else if (signal !== "SIGHUP" && performance.now() - since > sameSignalMs) {
      process.exit(130);
    }
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  // Node forgets that nohup ignores SIGHUP. A process without a terminal, as nohup starts it, runs on.
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  process.on("SIGHUP", hasTerminal ? onSignal : () => {});
}
