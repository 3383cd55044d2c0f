import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Env, sandboxCredentials } from "../env.ts";
import type { Say } from "./say.ts";

/** A card provider that can be called. */
export interface ProviderAccess {
  url: string;
  clientId: string;
  clientSecret: string;
  /** True for the sandbox that this process started. */
  sandbox: boolean;
  stop(): Promise<void>;
}

/** Uses the configured provider, or starts the sandbox as a process of its own. */
export async function accessProvider(env: Env, say: Say): Promise<ProviderAccess> {
  const {
    PROVIDER_URL: url,
    PROVIDER_CLIENT_ID: clientId = "",
    PROVIDER_CLIENT_SECRET: clientSecret = "",
  } = env;
  if (url !== undefined) return { url, clientId, clientSecret, sandbox: false, stop: async () => {} };
  say("Starting the provider sandbox");
  const child = spawn(
    process.execPath,
    [createRequire(import.meta.url).resolve("@cardbridge/sandbox/process")],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        SANDBOX_DATA_DIR: join(env.DATA_DIR, "sandbox"),
        SANDBOX_CLIENT_ID: sandboxCredentials.clientId,
        SANDBOX_CLIENT_SECRET: sandboxCredentials.clientSecret,
      },
    },
  );
  return { url: await announced(child), ...sandboxCredentials, sandbox: true, stop: () => end(child) };
}

async function announced(child: ChildProcess): Promise<string> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`The provider sandbox did not start (exit code ${code}); its message is above.`);
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
