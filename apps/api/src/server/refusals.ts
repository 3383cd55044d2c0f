import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Failure } from "@cardbridge/domain";
import { requestId } from "../composition/ids.ts";
import { toProblem } from "../errors/problem.ts";
import { defaultHeaders } from "./default-headers.ts";

/** Hears of every request that was refused before the app saw it. */
export type OnRefused = (failure: Failure, requestId: string) => void;

/** Refuses requests that never reach the app, and so have no id yet. */
export interface Refusals {
  /** For a request that Node could read and the adapter could not. */
  response(failure: Failure): Response;
  /** For a request that Node could read. */
  refuse(outgoing: ServerResponse, failure: Failure): void;
  /** For what comes over a socket that Node no longer reads requests from; ends the socket. */
  refuseAndEnd(socket: Socket, failure: Failure, headers?: Record<string, string>): void;
}

/** How long a socket stays open behind an error, for the caller to read it. */
const lingerMillis = 1_000;

export function createRefusals(onRefused: OnRefused): Refusals {
  function render(failure: Failure, more: Record<string, string> = {}) {
    const id = requestId();
    onRefused(failure, id);
    const problem = toProblem(failure, id, "parameter");
    const body = JSON.stringify(problem);
    const headers = {
      "content-type": "application/problem+json",
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": id,
      ...defaultHeaders,
      ...more,
    };
    return { status: problem.status, headers, body };
  }

  return {
    response(failure) {
      const { body, ...init } = render(failure);
      return new Response(body, init);
    },
    refuse(outgoing, failure) {
      // What is left of its body is not waited for.
      const { status, headers, body } = render(failure, outgoing.req.complete ? {} : { connection: "close" });
      outgoing.writeHead(status, headers).end(body);
    },
    refuseAndEnd(socket, failure, more) {
      const { status, headers, body } = render(failure, { ...more, connection: "close" });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      socket.on("error", () => {});
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
      // What the caller still sends is let pass for a while, and read by nobody: a socket closed at once is reset,
      // and the answer lost.
      socket.removeAllListeners("data").resume();
      const cut = setTimeout(() => socket.destroy(), lingerMillis);
      socket.once("close", () => clearTimeout(cut));
    },
  };
}
