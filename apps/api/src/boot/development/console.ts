import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { demoKeys } from "../../admission/api-key.ts";
import { endChild } from "../../process/end-child.ts";
import type { Print } from "../../process/print.ts";
import { ListenError, takeAddress } from "../../server/serve.ts";

const host = "127.0.0.1";

/** What `npm start` builds and runs beside the service, never in production. */
export interface Development {
  docsFolder?: string;
  docsProgram?: string;
  consoleProgram?: string;
  consolePort?: number;
}

/** The address of the console that `npm start` runs beside the embedded database. */
export interface ConsolePlan {
  program: string;
  port: number;
}

/** Chooses the console's port before it starts, because its development issuer's address contains it. */
export async function planConsole(
  { consoleProgram: program, consolePort: port = 3001 }: Development,
  embedded: boolean,
  print: Print,
): Promise<ConsolePlan | undefined> {
  if (program === undefined || !embedded) return undefined;
  const address = await takeAddress({ host, port }).catch((error: unknown) => {
    if (!(error instanceof ListenError)) throw error;
    print(`Port ${port} is in use: the console uses another one. --console-port chooses it.`);
    return takeAddress({ host, port: 0 });
  });
  await new Promise<void>((resolve) => (address.socket ? address.socket.close(() => resolve()) : resolve()));
  return { program, port: address.port };
}

/** The variables with which this service trusts the console's development issuer. */
export function developmentIssuer({ port }: ConsolePlan) {
  return {
    PERSONS_ISSUER: `http://${host}:${port}/development-issuer`,
    PERSONS_AUDIENCE: "urn:cardbridge:development",
    PERSONS_ROLES: { claim: "roles", names: null },
  };
}

interface ConsoleOptions {
  /** The service's address. */
  url: string;
  print: Print;
  /** Receives each line of the console's log. */
  onLine(line: string): void;
}

/**
 * Builds and starts the console as a child process, which ends with this one, even after SIGKILL. A console that does
 * not start, or ends, leaves the service running.
 */
export function startConsole({ program, port }: ConsolePlan, { url, print, onLine }: ConsoleOptions) {
  const target = ["--port", String(port), "--service-url", url, "--key", demoKeys.console];
  const child: ChildProcess = spawn(process.execPath, [program, ...target], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (child.stdout) createInterface(child.stdout).on("line", print);
  // oidc-provider writes notices about Node's version and about its own defaults.
  const onError = (line: string) => line.startsWith("oidc-provider ") || onLine(line);
  if (child.stderr) createInterface(child.stderr).on("line", onError);
  let stopping = false;
  const onEnd = () => {
    if (!stopping) print("The console is not running; the service is. npm run console says why.");
  };
  child.once("error", onEnd);
  child.once("exit", onEnd);
  return {
    async stop(): Promise<void> {
      stopping = true;
      await endChild(child);
    },
  };
}
