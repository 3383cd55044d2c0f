import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { toFailure } from "../errors/mapping.ts";
import type { NodeRequest } from "./address.ts";
import { answerClientErrors } from "./client-errors.ts";
import { defaultHeaders } from "./default-headers.ts";
import { discardBody, hasUnreadBody } from "./discard-body.ts";
import { invalidHead } from "./invalid-head.ts";
import { limitSockets } from "./limit-sockets.ts";
import { maxHeadBytes, maxPipelined, maxSockets, socketLimits } from "./limits.ts";
import { pendingResponses } from "./pending-responses.ts";
import { createRefusals, type OnRefused } from "./refusals.ts";
import { respondToShed, type Shed } from "./shed.ts";

export type Fetch = (request: Request, node?: NodeRequest) => Response | Promise<Response>;

export interface HttpServerOptions {
  /** Receives requests that were refused before the app. */
  onRefused?: OnRefused | undefined;
  /** Refuses requests by their head. The default admits all. */
  shed?: Shed | undefined;
}

/** Creates a server in which every response comes from the app or has the error body, never from Node itself. */
export function createHttpServer(
  fetch: Fetch,
  { onRefused = () => {}, shed = () => undefined }: HttpServerOptions = {},
): Server {
  const refusals = createRefusals(onRefused);
  const answer = getRequestListener((request, node) => fetch(request, node as NodeRequest), {
    errorHandler: (error) => refusals.response(toFailure(error)),
  });
  const options = { requireHostHeader: false, maxHeaderSize: maxHeadBytes, ...socketLimits };
  const server = createServer(options, async (incoming, outgoing) => {
    // A closed connection: an error would be read as the response to an earlier request.
    if (isPipelinedTooFar(incoming.socket)) return void incoming.socket.destroy();
    const headError = invalidHead(incoming);
    const shedRequest = headError ? undefined : shed(incoming);
    if (shedRequest) return respondToShed(outgoing, shedRequest);
    for (const name in defaultHeaders) outgoing.setHeader(name, defaultHeaders[name] ?? "");
    if (!headError && !hasUnreadBody(incoming)) return answer(incoming, outgoing);
    const bodyError = await discardBody(incoming);
    // The parser may have ended the socket because of an invalid body.
    if (!incoming.socket.writable) return;
    const failure = headError ?? bodyError;
    if (failure) refusals.refuse(outgoing, failure);
    else answer(incoming, outgoing);
  });
  // Otherwise Node responds to an unknown Expect.
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  server.maxConnections = maxSockets;
  // 0 is unlimited.
  server.maxHeadersCount = 0;
  const pendingOf = pendingResponses(server);
  const isPipelinedTooFar = (socket: Socket) => socket.destroyed || pendingOf(socket).length >= maxPipelined;
  answerClientErrors(server, pendingOf, refusals);
  limitSockets(server, pendingOf);
  return server;
}
