import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sandboxCredentials, sandboxEventsSecret } from "../../config/development-secrets.ts";
import type { Env } from "../../config/env.ts";
import { endChild } from "../../process/end-child.ts";
import type { OnLost, Print } from "../../process/print.ts";
import { StartError } from "../../process/start-error.ts";

export interface SandboxOptions {
  print: Print;
  onLost: OnLost;
  /** Receives each line of the sandbox's standard error. */
  onLine(line: string): void;
  /** The URL for the sandbox's events. */
  eventsUrl: string;
  /** The service's URL, from which the sandbox fetches files. */
  publicUrl: string;
}

/** A running sandbox. */
interface Sandbox {
  url: string;
  stop(): Promise<void>;
}

/** Starts the sandbox as a child process. */
export async function startSandbox(
  env: Env,
  { print, onLost, onLine, eventsUrl, publicUrl }: SandboxOptions,
): Promise<Sandbox> {
  print("Starting the provider sandbox.");
  const child = spawn(process.execPath, [sandboxProgram()], {
    // This process forwards the sandbox's lines, so that a slow reader never blocks the sandbox.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      SANDBOX_DATA_DIR: join(env.DATA_DIR, "sandbox"),
      SANDBOX_CLIENT_ID: sandboxCredentials.clientId,
      SANDBOX_CLIENT_SECRET: sandboxCredentials.clientSecret,
      SANDBOX_EVENTS_URL: eventsUrl,
      SANDBOX_EVENTS_SECRET: sandboxEventsSecret,
      SANDBOX_FETCH_UNDER: publicUrl,
    },
  });
  if (child.stderr) createInterface(child.stderr).on("line", onLine);
  const url = await announced(child);
  await writeFile(addressFile(env), url);
  const ended = () => onLost("The provider sandbox");
  child.once("exit", ended);
  return {
    url,
    async stop() {
      child.off("exit", ended);
      await rm(addressFile(env), { force: true });
      await endChild(child);
    },
  };
}

/**
 * The URL of the sandbox that another process started in DATA_DIR. That sandbox may no longer run.
 * @throws StartError if there is none.
 */
export async function findSandbox(env: Env): Promise<string> {
  return readFile(addressFile(env), "utf8").catch(() => {
    throw new StartError(
      `No sandbox runs on ${env.DATA_DIR}: start the service with npm start, or set PROVIDER_URL.`,
    );
  });
}

/** The file with the running sandbox's URL, for other programs of this machine. */
function addressFile(env: Env): string {
  return join(env.DATA_DIR, "sandbox.url");
}

/** @throws StartError for the build alone, which does not contain the sandbox. */
function sandboxProgram(): string {
  try {
    return createRequire(import.meta.url).resolve("@cardbridge/sandbox/process");
  } catch {
    throw new StartError("The provider sandbox is not installed: set PROVIDER_URL.");
  }
}

async function announced(child: ChildProcess): Promise<string> {
  const failed = once(child, "close").then(([code]) => {
    throw new StartError(`The provider sandbox did not start (exit code ${code}). See its message above.`);
  });
  const [message] = await Promise.race([once(child, "message"), failed]);
  return message.listening;
}
