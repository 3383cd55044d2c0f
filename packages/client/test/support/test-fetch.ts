import type { Fetch } from "../../src/options.ts";

/** The reply of a fetch: a response, an error, or nothing until it is aborted. */
type Reply = Response | Error | "hang" | ((init: RequestInit) => Response | Promise<Response>);

/** A fetch that returns these replies in order, repeats the last reply, and records the requests. */
export function testFetch(...replies: Reply[]) {
  const requests: { url: string; init: RequestInit; headers: Headers }[] = [];
  const fetch: Fetch = async (url, init) => {
    requests.push({ url, init, headers: new Headers(init.headers) });
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply instanceof Response) return reply.clone();
    if (reply instanceof Error) throw reply;
    if (typeof reply === "function") return reply(init);
    return new Promise((_, reject) => {
      const abort = () => reject(init.signal?.reason);
      if (init.signal?.aborted) abort();
      init.signal?.addEventListener("abort", abort);
    });
  };
  return { fetch, requests };
}

export const json = (body: object, init: ResponseInit = {}) => Response.json(body, init);

/** An error of the service. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = {
    type: `/docs/platforms/errors#${code.toLowerCase()}`,
    status,
    success: false,
    code,
    message: "m",
    errors: [],
  };
  return json(body, { status, headers: { "content-type": "application/problem+json", ...headers } });
}
