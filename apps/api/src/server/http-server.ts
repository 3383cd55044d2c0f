import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { Failure } from "@cardbridge/domain";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { Admission, Gates } from "../admission/gates.ts";
import { headOf } from "../admission/head.ts";
import { toFailure } from "../errors/mapping.ts";
import { answerClientErrors } from "./client-errors.ts";
import { defaultHeaders } from "./default-headers.ts";
import { discardBody, hasUnreadBody } from "./discard-body.ts";
import { invalidHead } from "./invalid-head.ts";
import { limitAddresses } from "./limit-addresses.ts";
import { limitSockets } from "./limit-sockets.ts";
import { maxHeaderListSize, maxPipelined, maxSockets, socketLimits } from "./limits.ts";
import type { NodeRequest } from "./node-request.ts";
import { pendingResponses } from "./pending-responses.ts";
import { createRefusals, type OnRefused } from "./refusals.ts";
import { respondByHead } from "./respond-by-head.ts";

export type Fetch = (request: Request, node?: NodeRequest) => Response | Promise<Response>;

export interface HttpServerOptions {
  /** Receives requests that were refused before the app. */
  onRefused?: OnRefused | undefined;
  /** The gates that each request passes before the app. Without them, none is authenticated. */
  gates?: Gates | undefined;
  /** The maximum number of sockets of one address. The default is no limit of its own. */
  socketsPerAddress?: number | undefined;
}

/** Creates a server in which every response comes from the app or has the error body, never from Node itself. */
export function createHttpServer(
  fetch: Fetch,
  { onRefused = () => {}, gates = () => undefined, socketsPerAddress }: HttpServerOptions = {},
): Server {
  const refusals = createRefusals(onRefused);
  const admissions = new WeakMap<IncomingMessage, Admission>();
  const answer = getRequestListener(
    (request, node) => {
      if (!isRequestUrl(request.url)) throw new RequestError("Invalid URL");
      const { incoming, outgoing } = node as HttpBindings;
      return fetch(request, { incoming, outgoing, admission: admissions.get(incoming) });
    },
    { errorHandler: (error) => refusals.response(unroutable(error)) },
  );
  // The parser's limit is twice ours, so that our own check responds first.
  const parser = { requireHostHeader: false, maxHeaderSize: 2 * maxHeaderListSize };
  const server = createServer({ ...parser, ...socketLimits }, async (incoming, outgoing) => {
    // A closed connection: an error would be read as the response to an earlier request.
    if (isPipelinedTooFar(incoming.socket)) return void incoming.socket.destroy();
    const headError = invalidHead(incoming);
    const passed = headError ? undefined : gates(headOf(incoming));
    const admission = passed instanceof Promise ? await passed : passed;
    if (admission) {
      const { byHead, failure, allowance, operation, body } = admission;
      if (byHead && failure) return respondByHead(outgoing, failure, allowance?.headers);
      admissions.set(incoming, admission);
      // The caller may have left at the gates. Then no event follows.
      const slot = operation ?? body;
      if (outgoing.destroyed) slot?.release();
      else if (slot) outgoing.once("close", slot.release);
    }
    for (const name in defaultHeaders) outgoing.setHeader(name, defaultHeaders[name] ?? "");
    if (!headError && !hasUnreadBody(incoming)) return answer(incoming, outgoing);
    const bodyError = await discardBody(incoming);
    // The parser may have ended the socket because of an invalid body.
    if (!incoming.socket.writable) return;
    const failure = headError ?? bodyError;
    if (failure) refusals.refuse(outgoing, failure);
    else answer(incoming, outgoing);
  });
  server.maxConnections = maxSockets;
  // 0 is unlimited. Otherwise Node silently drops headers.
  server.maxHeadersCount = 0;
  const pendingOf = pendingResponses(server);
  const isPipelinedTooFar = (socket: Socket) => socket.destroyed || pendingOf(socket).length >= maxPipelined;
  answerClientErrors(server, pendingOf, refusals);
  limitSockets(server, pendingOf);
  if (socketsPerAddress !== undefined) limitAddresses(server, socketsPerAddress);
  return server;
}

/** Whether the URL is valid for a Request. The adapter checks it too late, and accepts a Host like `xn--` or `a@b`. */
function isRequestUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** The failure of a request whose Host and target form no valid URL. */
function unroutable(error: unknown): Failure {
  if (!(error instanceof RequestError)) return toFailure(error);
  const message = "Send one Host header, and a path as the request target.";
  const violations = [{ path: [], rule: "target", message }];
  return new Failure("MALFORMED_REQUEST", { violations });
}
