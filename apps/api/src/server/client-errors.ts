import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Failure } from "@cardbridge/domain";
import { pathOf } from "../config/paths.ts";
import { corsHeaders } from "../http/rest/cors.ts";
import type { PendingResponses } from "./pending-responses.ts";
import type { Refusals } from "./refusals.ts";

/** An error of Node's HTTP parser, or a timeout. */
interface ParserError extends Error {
  code?: string;
}

/** Spreads the responses to simultaneous timeouts, so that other requests are served in between. */
const spreadMs = 1_000;

/** Responds with the error body to requests to which Node would otherwise respond without a body (gap G2). */
export function answerClientErrors(
  server: Server,
  pendingOf: PendingResponses,
  { refuseAndEnd }: Refusals,
): void {
  const ended = new WeakSet<Socket>();

  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (ended.has(socket)) return;
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    if (error.code !== "ERR_HTTP_REQUEST_TIMEOUT") return endWith(socket, failureOf(error));
    ended.add(socket.pause());
    setTimeout(() => endWith(socket, new Failure("REQUEST_TIMEOUT")), Math.random() * spreadMs);
  });
  server.on("connect", ({ socket }) => {
    endWith(socket, new Failure("METHOD_NOT_ALLOWED"), { allow: "GET, HEAD, POST" });
  });

  /** Ends the socket after its pending responses. The caller would read an earlier error as one of them. */
  function endWith(socket: Socket, failure: Failure, headers?: Record<string, string>): void {
    ended.add(socket);
    const pending = pendingOf(socket);
    const last = pending.findLast(({ req }) => req.complete);
    if (last) {
      if (!last.headersSent) last.setHeader("connection", "close");
      last.once("close", () => socket.destroySoon());
    } else if (pending.some(({ headersSent }) => headersSent)) {
      socket.destroySoon();
    } else {
      const path = pathOf(pending.at(-1)?.req.url ?? "");
      refuseAndEnd(socket, failure, path, { ...headers, ...corsHeaders(path) });
    }
  }
}

/** The parser has a common limit for the target and the headers. */
function failureOf({ code }: ParserError): Failure {
  return new Failure(code === "HPE_HEADER_OVERFLOW" ? "HEADERS_TOO_LARGE" : "MALFORMED_REQUEST");
}
