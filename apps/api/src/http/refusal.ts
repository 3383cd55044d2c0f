import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Failure } from "@cardbridge/domain";
import { requestId } from "../ids.ts";
import { toProblem } from "../problem.ts";

/** How long a socket stays open behind an error, for the caller to read it. */
const lingerMillis = 1_000;

interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The error body for a request that never reaches the app, and so has no id yet. */
export function refusal(failure: Failure, headers: Record<string, string> = {}): Refusal {
  const id = requestId();
  const problem = toProblem(failure, id, "parameter");
  const body = JSON.stringify(problem);
  const length = String(Buffer.byteLength(body));
  return {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      "content-length": length,
      "x-request-id": id,
      ...headers,
    },
    body,
  };
}

/** Refuses a request that Node could read. */
export function refuse(outgoing: ServerResponse, failure: Failure): void {
  const { status, headers, body } = refusal(failure);
  outgoing.writeHead(status, headers).end(body);
}

/**
 * Refuses what comes over a socket that Node no longer reads requests from, and ends it. What the caller
 * still sends is let pass for a while: a socket closed at once is reset, and the answer lost.
 */
export function refuseAndEnd(socket: Socket, failure: Failure, headers: Record<string, string> = {}): void {
  const { status, body, ...all } = refusal(failure, { ...headers, connection: "close" });
  const lines = Object.entries(all.headers).map(([name, value]) => `${name}: ${value}`);
  socket.on("error", () => {});
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), lingerMillis);
  socket.once("close", () => clearTimeout(cut));
}
