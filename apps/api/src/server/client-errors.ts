import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Failure } from "@cardbridge/domain";
import { linesUnderWay } from "./line-under-way.ts";
import { owedAnswers } from "./pending-responses.ts";
import type { Refusals } from "./refusals.ts";

/** What Node's parser says of bytes that are no request, or not in time. */
interface ParserError extends Error {
  code?: string;
  /** The packet that the error was found in, and how far it was read. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Sockets that run out of time together are refused over this while: others are served in between. */
const spreadMillis = 1_000;

/** Gives the error body to all that Node would answer without one, or not at all (gap G2). */
export function refuseUnreadable(server: Server, { refuse, refuseAndEnd }: Refusals): void {
  const owedBy = owedAnswers(server);
  const lineUnderWay = linesUnderWay(server);
  const ended = new WeakSet<Socket>();

  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (ended.has(socket)) return;
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    if (error.code !== "ERR_HTTP_REQUEST_TIMEOUT") return endWith(socket, failureOf(error, socket));
    ended.add(socket.pause());
    setTimeout(() => endWith(socket, new Failure("REQUEST_TIMEOUT")), Math.random() * spreadMillis);
  });
  server.on("connect", ({ socket }) => {
    endWith(socket, new Failure("METHOD_NOT_ALLOWED"), { allow: "GET, HEAD, POST" });
  });
  server.on("checkExpectation", (_incoming, outgoing) => {
    const message = "Expect 100-continue or nothing.";
    const violations = [{ path: ["Expect"], rule: "expectation", message }];
    refuse(outgoing, new Failure("MALFORMED_REQUEST", { violations }));
  });

  /** The parser has one limit for target and headers: a line that begins with a method has the target. */
  function failureOf({ code, rawPacket, bytesParsed }: ParserError, socket: Socket): Failure {
    if (code !== "HPE_HEADER_OVERFLOW") return new Failure("MALFORMED_REQUEST");
    const packet = rawPacket?.subarray(0, bytesParsed) ?? Buffer.alloc(0);
    const inTarget = /^[A-Z-]+ /.test(lineUnderWay(socket, packet));
    return new Failure(inTarget ? "URI_TOO_LONG" : "HEADERS_TOO_LARGE");
  }

  /** Nothing is put in front of an answer that is owed: its caller would take the one for the other. */
  function endWith(socket: Socket, failure: Failure, headers?: Record<string, string>): void {
    ended.add(socket);
    const owed = owedBy(socket);
    const last = owed.findLast(({ req }) => req.complete);
    if (last) {
      if (!last.headersSent) last.setHeader("connection", "close");
      last.once("close", () => socket.destroySoon());
    } else if (owed.some(({ headersSent }) => headersSent)) {
      socket.destroySoon();
    } else {
      refuseAndEnd(socket, failure, headers);
    }
  }
}
