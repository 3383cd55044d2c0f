import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface SeenCall {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A service that records its calls. `answer` may handle a call; others get an empty result. */
export async function startFakeService() {
  const calls: SeenCall[] = [];
  const state = {
    environment: "test",
    /** Returns true if it has answered. */
    answer: (_request: IncomingMessage, _response: ServerResponse): boolean => false,
  };
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    response.setHeader("x-cardbridge-environment", state.environment);
    response.setHeader("x-request-id", "req_of_the_service");
    response.setHeader("set-cookie", "service=1");
    const body = await text(request);
    calls.push({ method, url, headers, body });
    if (state.answer(request, response)) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ result: { data: { ok: true } } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    calls,
    /** The calls of procedures. */
    forwarded: () => calls.filter(({ url }) => url.startsWith("/trpc/")),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
