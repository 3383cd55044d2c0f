import { createServer, type Server } from "node:http";
import { Failure } from "@cardbridge/domain";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { toFailure } from "../errors/mapping.ts";
import type { NodeRequest } from "./address.ts";
import { answerClientErrors } from "./client-errors.ts";
import { defaultHeaders } from "./default-headers.ts";
import { discardBody, hasUselessBody } from "./discard-body.ts";
import { invalidHead } from "./invalid-head.ts";
import { maxHeaderListSize, maxSockets, socketLimits } from "./limits.ts";
import type { Admit } from "./load-shedding.ts";
import { createRefusals, type OnRefused } from "./refusals.ts";

export type Fetch = (request: Request, node?: NodeRequest) => Response | Promise<Response>;

export interface HttpServerOptions {
  /** Receives what was refused before the app saw it. */
  onRefused?: OnRefused | undefined;
  /** Decides about every request; it answers those that it does not admit. */
  admit?: Admit | undefined;
}

/** A server whose every answer is the app's or has the error body: Node itself answers nothing. */
export function createHttpServer(
  fetch: Fetch,
  { onRefused = () => {}, admit = () => true }: HttpServerOptions = {},
): Server {
  const refusals = createRefusals(onRefused);
  const answer = getRequestListener(
    (request, node) => {
      if (!isRequestUrl(request.url)) throw new RequestError("Invalid URL");
      return fetch(request, node as HttpBindings);
    },
    { errorHandler: (error) => refusals.response(unroutable(error)) },
  );
  // Node's parser has twice our limit, so that the answer can name the limit.
  const parser = { requireHostHeader: false, maxHeaderSize: 2 * maxHeaderListSize };
  const server = createServer({ ...parser, ...socketLimits }, async (incoming, outgoing) => {
    if (!admit(incoming, outgoing)) return;
    for (const name in defaultHeaders) outgoing.setHeader(name, defaultHeaders[name] ?? "");
    const headError = invalidHead(incoming);
    if (!headError && !hasUselessBody(incoming)) return answer(incoming, outgoing);
    const bodyError = await discardBody(incoming);
    // The parser may have ended the socket because the body was no HTTP.
    if (!incoming.socket.writable) return;
    const failure = headError ?? bodyError;
    if (failure) refusals.refuse(outgoing, failure);
    else answer(incoming, outgoing);
  });
  server.maxConnections = maxSockets;
  // Node would silently drop the headers beyond a count.
  server.maxHeadersCount = 0;
  answerClientErrors(server, refusals);
  return server;
}

/** Whether a Request can be made of the URL. The adapter checks late, and accepts `xn--` or `a@b` as a Host. */
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
