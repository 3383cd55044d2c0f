import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type SandboxOptions, startSandbox } from "../../src/index.ts";
import { createClock } from "./clock.ts";
import { clientId, clientSecret, sign } from "./sign.ts";

/** Polls until a condition is true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns a path for a data folder. It is removed after the test. */
export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

/** Starts a sandbox on a test clock and returns it with a client that signs. */
export async function runSandbox(options: Partial<SandboxOptions> = {}, clock = createClock()) {
  const dataFolder = options.dataFolder ?? (await createDataFolder());
  const sandbox = await startSandbox({
    clientId,
    clientSecret,
    now: () => clock.now,
    startTimer: clock.startTimer,
    startDeadline: clock.startTimer,
    slowMs: 1,
    ...options,
    dataFolder,
  });
  onTestFinished(() => sandbox.close());

  async function call(method: string, target: string, content?: unknown, signal?: AbortSignal) {
    const body = content === undefined ? "" : JSON.stringify(content);
    const headers = sign(method, target, body, Math.floor(clock.now / 1000));
    const response = await fetch(sandbox.url + target, {
      method,
      headers,
      ...(content === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
  }

  return {
    ...sandbox,
    dataFolder,
    clock,
    call,
    submit: (reference: string, content: unknown, signal?: AbortSignal) =>
      call("PUT", `/v1/kyc/${reference}`, content, signal),
    get: (reference: string) => call("GET", `/v1/kyc/${reference}`),
    list: (query: string) => call("GET", `/v1/cards?${query}`),
    putCards: (cards: unknown) => call("PUT", "/_cards", { cards }),
    ledger: async () => (await call("GET", "/_ledger")).body,
    journal: () => readFile(join(dataFolder, "journal.jsonl"), "utf8"),
  };
}

export type RunningSandbox = Awaited<ReturnType<typeof runSandbox>>;

/** Submits, waits until the sandbox has recorded the attempt, and disconnects before a response comes. */
export async function submitAndDisconnect(sandbox: RunningSandbox, reference: string, content: unknown) {
  const client = new AbortController();
  const response = sandbox.submit(reference, content, client.signal).then(
    () => "answered",
    () => "disconnected",
  );
  await until(async () => (await outcomes(sandbox, reference)).length > 0);
  client.abort();
  return response;
}

/** The outcomes of all attempts of a reference, in order. */
export async function outcomes(sandbox: RunningSandbox, reference: string): Promise<string[]> {
  const { attempts } = await sandbox.ledger();
  return attempts
    .filter((attempt: { reference: string }) => attempt.reference === reference)
    .map(({ outcome }: { outcome: string }) => outcome);
}

/** Waits until the journal contains this number of delivered events. */
export async function untilDelivered({ journal }: RunningSandbox, count: number): Promise<void> {
  await until(async () => (await journal()).split('"kind":"delivered"').length - 1 === count);
}

/** A card for `PUT /_cards`. */
export function card(cardId: string, createdAt: string | null, more: object = {}) {
  return { userReference: "usr_1", cardId, status: "active", createdAt, ...more };
}

/** The card ids of one page of `GET /v1/cards`, in order. */
export async function cardIds(sandbox: RunningSandbox, query: string): Promise<string[]> {
  const { body } = await sandbox.list(query);
  return body.items.map(({ cardId }: { cardId: string }) => cardId);
}

let acts = 0;

/** Acts on the submission kyc_1 of the user usr_1, under a new key. */
export function act(sandbox: RunningSandbox, name: string, more: object = {}) {
  acts += 1;
  const content = { key: `key_${acts}`, act: name, userReference: "usr_1", reference: "kyc_1" };
  return sandbox.call("POST", "/v1/acts", { ...content, ...more });
}
