import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sandboxCredentials, sandboxEventsSecret } from "../config/development-secrets.ts";
import type { Env } from "../config/env.ts";
import type { OnLost, Print } from "../process/print.ts";
import { StartError } from "../process/start-error.ts";

/** The URLs of a card provider and our credentials. */
export type ProviderAddress = { url: string; clientId: string } & (
  | { kind: "cardbridge"; clientSecret: string }
  | { kind: "airwallex"; filesUrl: string; apiKey: string }
);

/** A running card provider. */
export type ProviderAccess = ProviderAddress & {
  /** The secrets of the provider's event signatures; empty without events. */
  eventsSecrets: readonly string[];
  /** True for the sandbox of this process. */
  sandbox: boolean;
  stop(): Promise<void>;
};

interface Options {
  print: Print;
  onLost: OnLost;
  /** Receives each line of the sandbox's standard error. */
  onLine(line: string): void;
  /** The URL for the sandbox's events. */
  eventsUrl: string;
  /** The service's URL, from which the sandbox fetches files. */
  publicUrl: string;
}

/** Uses the configured provider, or starts the sandbox as a child process. */
export async function accessProvider(
  env: Env,
  { print, onLost, onLine, eventsUrl, publicUrl }: Options,
): Promise<ProviderAccess> {
  const configured = configuredProvider(env);
  if (configured) {
    return { ...configured, eventsSecrets: eventsSecretsOf(env), sandbox: false, stop: async () => {} };
  }
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
  const address = await announced(child);
  await writeFile(addressFile(env), address);
  const ended = () => onLost("The provider sandbox");
  child.once("exit", ended);
  return {
    kind: "cardbridge",
    url: address,
    ...sandboxCredentials,
    eventsSecrets: [sandboxEventsSecret],
    sandbox: true,
    async stop() {
      child.off("exit", ended);
      await rm(addressFile(env), { force: true });
      await end(child);
    },
  };
}

/**
 * The configured provider, or the sandbox that another process started in DATA_DIR. That sandbox may no longer run.
 * @throws StartError if there is neither.
 */
export async function findProvider(env: Env): Promise<ProviderAddress> {
  const configured = configuredProvider(env);
  if (configured) return configured;
  const url = await readFile(addressFile(env), "utf8").catch(() => {
    throw new StartError(
      `No sandbox runs on ${env.DATA_DIR}: start the service with npm start, or set PROVIDER_URL.`,
    );
  });
  return { kind: "cardbridge", url, ...sandboxCredentials };
}

/** The checks of the environment require every variable of the configured provider. */
function configuredProvider(env: Env): ProviderAddress | undefined {
  if (env.PROVIDER === "airwallex") {
    const { AIRWALLEX_URL: url = "", AIRWALLEX_FILES_URL: filesUrl = "" } = env;
    const { AIRWALLEX_CLIENT_ID: clientId = "", AIRWALLEX_API_KEY: apiKey = "" } = env;
    return { kind: "airwallex", url, filesUrl, clientId, apiKey };
  }
  const { PROVIDER_URL: url, PROVIDER_CLIENT_ID: clientId = "", PROVIDER_CLIENT_SECRET = "" } = env;
  return url === undefined
    ? undefined
    : { kind: "cardbridge", url, clientId, clientSecret: PROVIDER_CLIENT_SECRET };
}

function eventsSecretsOf(env: Env): string[] {
  return env.PROVIDER === "airwallex" ? env.AIRWALLEX_WEBHOOK_SECRETS : env.PROVIDER_EVENTS_SECRETS;
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
    throw new StartError("There is no provider sandbox here: set PROVIDER_URL.");
  }
}

async function announced(child: ChildProcess): Promise<string> {
  const failed = once(child, "close").then(([code]) => {
    throw new StartError(`The provider sandbox did not start (exit code ${code}). See its message above.`);
  });
  const [message] = await Promise.race([once(child, "message"), failed]);
  return message.listening;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
