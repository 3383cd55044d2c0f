import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Env, sandboxCredentials, sandboxEventsSecret } from "../env.ts";
import type { Lost, Say } from "./say.ts";
import { StartError } from "./start-error.ts";

/** A card provider that can be called. */
export interface ProviderAccess {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Under which the provider signs its events; none where it sends none. */
  eventsSecrets: readonly string[];
  /** True for the sandbox that this process started. */
  sandbox: boolean;
  stop(): Promise<void>;
}

interface Options {
  say: Say;
  lost: Lost;
  /** Where the sandbox sends its events. */
  eventsUrl: string;
}

/** Uses the configured provider, or starts the sandbox as a process of its own. */
export async function accessProvider(env: Env, { say, lost, eventsUrl }: Options): Promise<ProviderAccess> {
  const {
    PROVIDER_URL: url,
    PROVIDER_CLIENT_ID: clientId = "",
    PROVIDER_CLIENT_SECRET: clientSecret = "",
  } = env;
  if (url !== undefined) {
    const eventsSecrets = env.PROVIDER_EVENTS_SECRETS;
    return { url, clientId, clientSecret, eventsSecrets, sandbox: false, stop: async () => {} };
  }
  say("Starting the provider sandbox.");
  const child = spawn(
    process.execPath,
    [createRequire(import.meta.url).resolve("@cardbridge/sandbox/process")],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        SANDBOX_DATA_DIR: join(env.DATA_DIR, "sandbox"),
        SANDBOX_CLIENT_ID: sandboxCredentials.clientId,
        SANDBOX_CLIENT_SECRET: sandboxCredentials.clientSecret,
        SANDBOX_EVENTS_URL: eventsUrl,
        SANDBOX_EVENTS_SECRET: sandboxEventsSecret,
      },
    },
  );
  const address = await announced(child);
  const ended = () => lost("The provider sandbox");
  child.once("exit", ended);
  return {
    url: address,
    ...sandboxCredentials,
    eventsSecrets: [sandboxEventsSecret],
    sandbox: true,
    stop() {
      child.off("exit", ended);
      return end(child);
    },
  };
}

async function announced(child: ChildProcess): Promise<string> {
  const failed = once(child, "exit").then(([code]) => {
    throw new StartError(`The provider sandbox did not start (exit code ${code}); its message is above.`);
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
