/** The response to a test's call, in the same format for both transports. */
export interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

export type Fetch = (path: string, init?: RequestInit) => Promise<Response> | Response;

interface Call {
  fetch: Fetch;
  key: string;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

export async function restList(
  { fetch, key }: Call,
  query: Record<string, string | number>,
): Promise<Answer> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  const response = await fetch(`/openapi/v1/cards/list?${search}`, { headers: bearer(key) });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export async function restSubmit({ fetch, key }: Call, body: unknown): Promise<Answer> {
  const response = await fetch("/openapi/v1/users/kyc", {
    method: "POST",
    headers: { ...bearer(key), "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export async function trpcList({ fetch, key }: Call, query: unknown): Promise<Answer> {
  const input = encodeURIComponent(JSON.stringify(query));
  return readAnswer(await fetch(`/trpc/cards.list?input=${input}`, { headers: bearer(key) }));
}

export async function trpcSubmit({ fetch, key }: Call, body: unknown): Promise<Answer> {
  const response = await fetch("/trpc/kyc.submit", {
    method: "POST",
    headers: { ...bearer(key), "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return readAnswer(response);
}

/** Reads a response of either transport, and unwraps tRPC's envelope: the result's data, or the error's problem. */
export async function readAnswer(response: Response): Promise<Answer> {
  const body = (await response.json()) as Enveloped | null;
  const inner = body?.error ? body.error.data.problem : body?.result ? body.result.data : body;
  return { status: response.status, body: inner, headers: response.headers };
}

interface Enveloped {
  result?: { data: unknown };
  error?: { data: { problem: unknown } };
}

/** Removes the request id, which differs between calls. */
export function withoutRequestId(body: unknown): unknown {
  const { requestId: _requestId, ...rest } = (body ?? {}) as Record<string, unknown>;
  return rest;
}
