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
  return unwrap(await fetch(`/trpc/cards.list?input=${input}`, { headers: bearer(key) }));
}

export async function trpcSubmit({ fetch, key }: Call, body: unknown): Promise<Answer> {
  const response = await fetch("/trpc/kyc.submit", {
    method: "POST",
    headers: { ...bearer(key), "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return unwrap(response);
}

/** Unwraps tRPC's envelope: the result's data, or the error's problem. */
async function unwrap(response: Response): Promise<Answer> {
  const { result, error } = (await response.json()) as {
    result?: { data: unknown };
    error?: { data: { problem: unknown; httpStatus: number } };
  };
  return {
    status: response.status,
    body: error ? error.data.problem : result?.data,
    headers: response.headers,
  };
}

/** Removes the request id, which differs between calls. */
export function withoutRequestId(body: unknown): unknown {
  const { requestId: _requestId, ...rest } = body as Record<string, unknown>;
  return rest;
}
