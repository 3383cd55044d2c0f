import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Failure } from "@cardbridge/domain";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Admission, Gates } from "../admission/gates.ts";
import { headOf } from "../admission/head.ts";
import { maxBodyBytes, maxHeadBytes, maxPipelined, maxSockets, socketLimits } from "../config/limits.ts";
import { pathOf } from "../config/paths.ts";
import { toFailure } from "../http/errors/mapping.ts";
import { renderError } from "../http/errors/render.ts";
import { requestId } from "../http/errors/request-id.ts";
import { discardBody, hasUnreadBody } from "../http/middleware/discard-body.ts";
import type { NodeRequest } from "../http/middleware/node-request.ts";
import { corsHeaders } from "../http/rest/cors.ts";
import { answerClientErrors } from "./client-errors.ts";
import { defaultHeaders } from "./default-headers.ts";
import { invalidHead } from "./invalid-head.ts";
import { limitSockets } from "./limit-sockets.ts";
import { pendingResponses } from "./pending-responses.ts";
import { createRefusals, type OnRefused } from "./refusals.ts";

export type Fetch = (request: Request, node?: NodeRequest) => Response | Promise<Response>;

export interface HttpServerOptions {
  /** Receives requests that were refused before they reached the app. */
  onRefused?: OnRefused | undefined;
  /** The gates that each request passes before the app. Without them, no request is authenticated. */
  gates?: Gates | undefined;
  /** The headers of every response. */
  headers?: Readonly<Record<string, string>>;
}

/** Creates a server whose responses come from the app or have the service's error body. Node itself sends none. */
export function createHttpServer(
  fetch: Fetch,
  { onRefused = () => {}, gates = async () => undefined, headers = defaultHeaders }: HttpServerOptions = {},
): Server {
  const refusals = createRefusals(onRefused, headers);
  const admissions = new WeakMap<IncomingMessage, Admission>();
  const answer = getRequestListener(
    (request, node) => {
      const { incoming, outgoing } = node as HttpBindings;
      return fetch(request, { incoming, outgoing, admission: admissions.get(incoming) });
    },
    { errorHandler: (error) => refusals.response(toFailure(error)) },
  );
  const options = { requireHostHeader: false, maxHeaderSize: maxHeadBytes, ...socketLimits };
  const server = createServer(options, async (incoming, outgoing) => {
    // Send no error, because the caller would read it as the response to an earlier request.
    if (isPipelinedTooFar(incoming.socket)) return void incoming.socket.destroy();
    const cors = corsHeaders(incoming.url);
    for (const name in cors) outgoing.setHeader(name, cors[name] ?? "");
    const headError = invalidHead(incoming);
    const admission = headError ? undefined : await gates(headOf(incoming));
    if (admission) {
      const { byHead, failure, allowance, operation, body } = admission;
      if (byHead && failure) return respondByHead(outgoing, failure, { ...headers, ...allowance?.headers });
      admissions.set(incoming, admission);
      // If the caller disconnected while the gates ran, no close event follows.
      const slot = operation ?? body;
      if (outgoing.destroyed) slot?.release();
      else if (slot) outgoing.once("close", slot.release);
    }
    for (const name in headers) outgoing.setHeader(name, headers[name] ?? "");
    if (!headError && !hasUnreadBody(incoming)) return answer(incoming, outgoing);
    const bodyError = await discardBody(incoming);
    // The parser may have ended the socket because of an invalid body.
    if (!incoming.socket.writable) return;
    const failure = headError ?? bodyError;
    if (failure) refusals.refuse(outgoing, failure);
    else answer(incoming, outgoing);
  });
  // Without a listener, Node itself responds to an unknown Expect.
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

/**
 * Responds to a request that the gates rejected from its head. Logs nothing, because there can be thousands a second.
 *
 * @param further headers
 */
function respondByHead(outgoing: ServerResponse, failure: Failure, further: Record<string, string>): void {
  const { method = "", url = "" } = outgoing.req;
  const { status, headers, body } = renderError(failure, {
    requestId: requestId(),
    method,
    path: pathOf(url),
    headers: further,
  });
  const isLarge = announcesMoreThan(outgoing.req, maxBodyBytes);
  const connection = isLarge ? { connection: "close" } : {};
  outgoing.writeHead(status, { ...headers, ...connection, "content-length": Buffer.byteLength(body) });
  // Node reads the rest of a small body before the connection's next request.
  if (!isLarge) return void outgoing.end(body);
  outgoing.write(body);
  void discardBody(outgoing.req).then(() => outgoing.end());
}

/** Whether a request announces a body of more than `bytes`, or of an unknown length. */
function announcesMoreThan({ headers }: IncomingMessage, bytes: number): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > bytes;
}
