import { createServer, type Server } from "node:http";
import { Failure } from "@cardbridge/domain";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { toFailure } from "../errors/mapping.ts";
import type { Admit } from "./load-shedding.ts";
import type { NodeRequest } from "./address.ts";
import { discardBody, hasUselessBody } from "./discard-body.ts";
import { headFault } from "./invalid-head.ts";
import { maxHeaderListSize, maxSockets, socketLimits } from "./limits.ts";
import { createRefusals, type OnRefused } from "./refusals.ts";
import { defaultHeaders } from "./default-headers.ts";
import { refuseUnreadable } from "./client-errors.ts";

export type Fetch = (request: Request, node?: NodeRequest) => Response | Promise<Response>;

export interface HttpServerOptions {
  /** Hears of what was refused before the app saw it. */
  onRefused?: OnRefused | undefined;
  /** Asked about every request; what it does not let in, it answers. */
  admit?: Admit | undefined;
}

/** A server whose every answer is the app's or carries the error body: Node itself answers nothing. */
export function createHttpServer(
  fetch: Fetch,
  { onRefused = () => {}, admit = () => true }: HttpServerOptions = {},
): Server {
  const refusals = createRefusals(onRefused);
  // The last one that was right, which most callers name: no path behind it makes a URL wrong.
  let knownHost: string | undefined;
  const answer = getRequestListener(
    (request, node) => {
      const { url = "", headers } = node.incoming;
      const host = url.startsWith("/") ? headers.host : undefined;
      const known = host !== undefined && host === knownHost;
      if (!known && !isRequestUrl(request.url)) throw new RequestError("Invalid URL");
      knownHost = host;
      return fetch(request, node as HttpBindings);
    },
    { errorHandler: (error) => refusals.response(unroutable(error)) },
  );
  // Node's parser reads on beyond our limits, so that we can say which of them is broken.
  const parser = { requireHostHeader: false, maxHeaderSize: 2 * maxHeaderListSize };
  const server = createServer({ ...parser, ...socketLimits }, async (incoming, outgoing) => {
    if (!admit(incoming, outgoing)) return;
    for (const name in defaultHeaders) outgoing.setHeader(name, defaultHeaders[name] ?? "");
    const fault = headFault(incoming);
    if (!fault && !hasUselessBody(incoming)) return answer(incoming, outgoing);
    const bodyFault = await discardBody(incoming);
    // Its body may have been no HTTP, and the socket ended for that.
    if (!incoming.socket.writable) return;
    const failure = fault ?? bodyFault;
    if (failure) refusals.refuse(outgoing, failure);
    else answer(incoming, outgoing);
  });
  server.maxConnections = maxSockets;
  // Node would drop what is beyond the count without a word.
  server.maxHeadersCount = 0;
  refuseUnreadable(server, refusals);
  return server;
}

/** Whether a Request can be made of it. The adapter finds out late, and lets `xn--` or `a@b` pass as a Host. */
function isRequestUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** A request whose Host and target make no URL never reaches the app. */
function unroutable(error: unknown): Failure {
  if (!(error instanceof RequestError)) return toFailure(error);
  const message = "Send one Host header and, as the request's target, a path.";
  const violations = [{ path: [], rule: "target", message }];
  return new Failure("MALFORMED_REQUEST", { violations });
}
