import { fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { ProviderIds, ProviderKycRequest, ProviderSteps } from "@cardbridge/domain";
import { memorySteps, newKycRequest } from "../../src/conformance/inputs.ts";
import { type AirwallexProviderOptions, createAirwallexProvider } from "../../src/index.ts";

export const credentials = { clientId: "fake-client", apiKey: "fake-key" };

/** A fault of the fake, as its README describes it. */
export type Fault = { kind: string; times?: number; method?: string; path?: string } & Record<
  string,
  unknown
>;

interface Effects {
  cardholders: { cardholder_id: string; email: string; status: string }[];
  files: { file_id: string; filename: string; size: number }[];
}

export interface FakeRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Starts the fake of Airwallex as another process. */
export async function startAirwallex() {
  const program = createRequire(import.meta.url).resolve("@cardbridge/airwallex-fake/process");
  const child = fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ listening: url, files: filesUrl }] = await once(child, "message");

  async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/__fake${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
    return (await response.json()) as T;
  }

  return {
    url,
    filesUrl,
    admin,
    effects: () => admin<Effects>("GET", "/effects"),
    requests: async () => (await admin<{ requests: FakeRequest[] }>("GET", "/requests")).requests,
    fail: (fault: Fault) => admin("POST", "/faults", fault),
    /** Sets everything back. */
    reset: () => admin("DELETE", ""),
    async close() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

export type Airwallex = Awaited<ReturnType<typeof startAirwallex>>;

export const createPath = "/api/v1/issuing/cardholders/create";

/** The ids of steps, in memory. */
export function memoryIds() {
  const users = new Map<string, string>();
  const ids: ProviderIds = {
    idOf: async (_, userReference) => [...users].findLast(([, user]) => user === userReference)?.[0] ?? null,
    userOf: async (_, id) => users.get(id) ?? null,
  };
  /** The steps of a submission of this user. */
  const stepsOf = (userReference: string): ProviderSteps => {
    const steps = memorySteps();
    return {
      done: steps.done,
      async keep(name, result) {
        await steps.keep(name, result);
        if (name === "cardholder" && result.id !== undefined) users.set(result.id, userReference);
      },
    };
  };
  return { ids, users, stepsOf };
}

/** Creates an adapter over the fake, with short delays. */
export function connectAirwallex(
  { url, filesUrl }: Pick<Airwallex, "url" | "filesUrl">,
  options: Partial<AirwallexProviderOptions> = {},
) {
  const memory = memoryIds();
  const observed: { event: string; labels: unknown }[] = [];
  const provider = createAirwallexProvider({
    baseUrl: url,
    filesUrl,
    ...credentials,
    deadlines: { kycMs: 1_000 },
    retries: { minDelayMs: 1, maxDelayMs: 5 },
    observer: { observe: (event, labels) => observed.push({ event, labels }) },
    ids: memory.ids,
    ...options,
  });
  /** A new submission whose steps the adapter's ids find. */
  function newRequest(changes: Partial<ProviderKycRequest["applicant"]> = {}): ProviderKycRequest {
    const request = newKycRequest(`ada+${crypto.randomUUID()}@example.com`);
    return {
      ...request,
      applicant: { ...request.applicant, ...changes },
      steps: memory.stepsOf(request.userReference),
    };
  }
  return { provider, observed, newRequest, ...memory };
}
