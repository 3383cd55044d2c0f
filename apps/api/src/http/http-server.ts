import { createServer, type Server } from "node:http";
import { Failure } from "@cardbridge/domain";
import { getRequestListener, RequestError } from "@hono/node-server";
import { toFailure } from "../errors.ts";
import type { NodeRequest } from "./address.ts";
import { areHeadersTooLarge, maxHeaderListSize } from "./limits.ts";
import { refusal, refuse } from "./refusal.ts";
import { refuseUnreadable } from "./unreadable.ts";

export type Fetch = (request: Request, node?: NodeRequest) => Response | Promise<Response>;

/** A server whose every answer is the app's or carries the error body: Node itself answers nothing. */
export function createHttpServer(fetch: Fetch): Server {
  const answer = getRequestListener(
    (request, node) => {
      if (!isRequestUrl(request.url)) throw new RequestError("Invalid URL");
      return fetch(request, node);
    },
    { errorHandler: refuseUnroutable },
  );
  // Node's parser reads on beyond our limits, so that we can say which of them is broken.
  const limits = { requireHostHeader: false, maxHeaderSize: 2 * maxHeaderListSize };
  const server = createServer(limits, (incoming, outgoing) => {
    if (areHeadersTooLarge(incoming.rawHeaders)) refuse(outgoing, new Failure("HEADERS_TOO_LARGE"));
    else answer(incoming, outgoing);
  });
  // Node would drop what is beyond the count without a word.
  server.maxHeadersCount = 0;
  refuseUnreadable(server);
  return server;
}

/** Whether a Request can be made of it. The adapter finds out late, and lets `xn--` or `a@b` pass as a Host. */
function isRequestUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** A request whose Host and target make no URL never reaches the app. */
function refuseUnroutable(error: unknown): Response {
  const message = "Send one Host header and, as the request's target, a path.";
  const violations = [{ path: [], rule: "target", message }];
  const failure =
    error instanceof RequestError ? new Failure("MALFORMED_REQUEST", { violations }) : toFailure(error);
  const { body, ...init } = refusal(failure);
  return new Response(body, init);
}
