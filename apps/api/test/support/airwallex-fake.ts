import { fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

interface Effects {
  cardholders: { cardholder_id: string; email: string }[];
  files: { filename: string; size: number }[];
}

/** Starts the fake of Airwallex as another process. */
export async function startAirwallexFake() {
  const program = createRequire(import.meta.url).resolve("@cardbridge/airwallex-fake/process");
  const child = fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ listening, files }] = await once(child, "message");

  /** Calls `/__fake/…`. */
  async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${listening}/__fake${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
    return (await response.json()) as T;
  }

  return {
    admin,
    effects: () => admin<Effects>("GET", "/effects"),
    /** Every request, as text. */
    requests: async () => JSON.stringify(await admin("GET", "/requests")),
    /** The environment of a service that uses it. */
    env: {
      PROVIDER: "airwallex",
      AIRWALLEX_URL: listening,
      AIRWALLEX_FILES_URL: files,
      AIRWALLEX_CLIENT_ID: "fake-client",
      AIRWALLEX_API_KEY: "fake-key",
      AIRWALLEX_WEBHOOK_SECRETS: "fake-webhook-secret",
    },
    async close() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
