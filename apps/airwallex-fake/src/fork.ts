import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The default credentials of a process, and the default secret of its webhook signatures. */
export const forkedCredentials = {
  clientId: "fake-client",
  apiKey: "fake-key",
  webhookSecret: "fake-webhook-secret",
};

interface Effects {
  cardholders: { cardholder_id: string; email: string; status: string }[];
  rfis: {
    id: string;
    status: string;
    active_request?: { questions: { id: string; answer: object }[] };
    answered_requests: object[];
  }[];
  events: { name: string; data: { id?: string } }[];
  files: { file_id: string; filename: string; size: number }[];
}

/** A request to either host, as `/__fake/requests` returns it. */
interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** The status of the response. */
  status?: number;
}

/** Starts the built fake as a child process. It exits with this process. */
export async function forkFake() {
  const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  const child = fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ listening: url, files: filesUrl }] = await once(child, "message");

  async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/__fake${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}.`);
    return (await response.json()) as T;
  }

  return {
    url,
    filesUrl,
    /** Calls `/__fake/…`. */
    admin,
    effects: () => admin<Effects>("GET", "/effects"),
    requests: async () => (await admin<{ requests: SeenRequest[] }>("GET", "/requests")).requests,
    /** Adds a fault, such as `{ kind: "reset", method: "POST" }`. */
    fail: (fault: object) => admin("POST", "/faults", fault),
    /** The number of pending faults. */
    pendingFaults: async () => (await admin<{ faults: unknown[] }>("GET", "/faults")).faults.length,
    reset: () => admin("DELETE", ""),
    async close() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

export type ForkedFake = Awaited<ReturnType<typeof forkFake>>;
