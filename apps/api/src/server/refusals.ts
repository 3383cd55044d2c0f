import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Failure } from "@cardbridge/domain";
import { pathOf } from "../config/paths.ts";
import { renderError } from "../http/errors/render.ts";
import { requestId } from "../http/errors/request-id.ts";

/** Receives every request that was refused before it reached the app. */
export type OnRefused = (failure: Failure, requestId: string) => void;

/** Responds to requests that never reach the app. Each gets a request id here. */
export interface Refusals {
  /** For a request for which the app failed. */
  response(failure: Failure): Response;
  /** For a request that Node parsed. */
  refuse(outgoing: ServerResponse, failure: Failure): void;
  /** For bytes that Node cannot parse. `path` is empty if it is unknown. Ends the socket. */
  refuseAndEnd(socket: Socket, failure: Failure, path: string, headers?: Record<string, string>): void;
}

/** How long a socket stays open after an error, so that the caller can read the response. */
const lingerMs = 1_000;

/** @param ofEvery the headers of every response */
export function createRefusals(onRefused: OnRefused, ofEvery: Readonly<Record<string, string>>): Refusals {
  function render(failure: Failure, path: string, more: Record<string, string> = {}) {
    const id = requestId();
    onRefused(failure, id);
    const headers = { ...ofEvery, ...more };
    const rendered = renderError(failure, { requestId: id, method: "GET", path, headers });
    const length = String(Buffer.byteLength(rendered.body));
    return { ...rendered, headers: { ...rendered.headers, "content-length": length } };
  }

  return {
    response(failure) {
      const { body, ...init } = render(failure, "");
      return new Response(body, init);
    },
    refuse(outgoing, failure) {
      // Do not wait for the rest of the body.
      const close = outgoing.req.complete ? {} : { connection: "close" };
      const { status, headers, body } = render(failure, pathOf(outgoing.req.url ?? ""), close);
      outgoing.writeHead(status, headers).end(body);
    },
    refuseAndEnd(socket, failure, path, more) {
      const { status, headers, body } = render(failure, path, { ...more, connection: "close" });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      socket.on("error", () => {});
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
      // The first listener detaches the parser, which would read further requests. The socket's bytes are discarded:
      // closing it while the caller still sends would reset it, and the caller would lose the response.
      socket.on("data", () => {});
      socket.removeAllListeners("data").resume();
      const cut = setTimeout(() => socket.destroy(), lingerMs);
      socket.once("close", () => clearTimeout(cut));
    },
  };
}
