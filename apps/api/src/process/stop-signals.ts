import { isatty } from "node:tty";

/** A terminal and npm can both deliver one Ctrl-C. A signal after this time is a second one. */
const sameSignalMs = 1_000;

/**
 * Calls `stop` on the first SIGINT or SIGTERM, or when the terminal closes. A further signal after a second ends the
 * process immediately. `advice` is a hint for the user at the terminal.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals, advice: string) => void): void {
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = performance.now();
      stop(signal, signal === "SIGINT" ? " Press Ctrl-C again to abort them." : "");
    } else if (signal !== "SIGHUP" && performance.now() - since > sameSignalMs) {
      process.exit(130);
    }
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  // Node does not preserve nohup's ignored SIGHUP. A process without a terminal ignores it here.
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  process.on("SIGHUP", hasTerminal ? onSignal : () => {});
}
