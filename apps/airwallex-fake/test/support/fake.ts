import { onTestFinished } from "vitest";
import { startFake } from "../../src/index.ts";

const credentials = { clientId: "client", apiKey: "key" };

/** Polls until a condition is true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** A file with the first bytes of a JPEG. */
export const jpeg = new File([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3)], "front.jpg");

/** The body that creates a cardholder. */
export function cardholder(fields: object = {}, individual: object = {}) {
  return {
    type: "INDIVIDUAL",
    email: "jane@example.com",
    individual: {
      name: { first_name: "Jane", last_name: "Doe" },
      date_of_birth: "1990-01-31",
      address: { line1: "1 Example Road", city: "Hong Kong", country: "HK", postcode: "999077" },
      express_consent_obtained: "yes",
      ...individual,
    },
    ...fields,
  };
}

/** Starts a fake with a manual clock. Returns it with a logged-in client. */
export async function runFake() {
  const clock = { now: Date.UTC(2026, 4, 12) };
  const fake = await startFake({ ...credentials, now: () => clock.now });
  onTestFinished(() => fake.close());

  async function send(url: string, init: RequestInit = {}) {
    const response = await fetch(url, init);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  const json = (body: unknown) => (body === undefined ? {} : { body: JSON.stringify(body) });

  const login = (clientId = credentials.clientId, apiKey = credentials.apiKey) =>
    send(`${fake.url}/api/v1/authentication/login`, {
      method: "POST",
      headers: { "x-client-id": clientId, "x-api-key": apiKey },
    });
  const authorization = `Bearer ${(await login()).body.token}`;

  return {
    ...fake,
    clock,
    login,
    get: (path: string) => send(`${fake.url}/api/v1/${path}`, { headers: { authorization } }),
    post: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(`${fake.url}/api/v1/${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        ...json(body),
      }),
    upload(file: File, query = "", part = "file") {
      const body = new FormData();
      body.append(part, file);
      return send(`${fake.filesUrl}/api/v1/files/upload${query}`, {
        method: "POST",
        headers: { authorization },
        body,
      });
    },
    admin: (method: string, path: string, body?: unknown) =>
      send(`${fake.url}/__fake${path}`, { method, ...json(body) }),
  };
}
