import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { maxIdleMs, maxUnflushedBytes, maxWriteMs } from "../config/limits.ts";
import type { PendingResponses } from "./pending-responses.ts";

/** What a socket waits for: its caller has to receive the response `of`, or to send a request after it. */
interface Wait {
  of: ServerResponse | undefined;
  since: number;
}

const defaultLimits = { maxWriteMs, maxIdleMs, maxUnflushedBytes, sweepMs: 1_000 };

/**
 * Closes sockets whose caller does not receive a response in time, or sends no request. Node has no time
 * limit for receiving a response, and blank lines extend its limit for sending a request. Other limits apply while a
 * request is read or processed.
 */
export function limitSockets(
  server: Server,
  pendingOf: PendingResponses,
  limits: Partial<typeof defaultLimits> = {},
): void {
  const { maxWriteMs, maxIdleMs, maxUnflushedBytes, sweepMs } = { ...defaultLimits, ...limits };
  const waits = new Map<Socket, Wait>();
  const latest = new WeakMap<Socket, ServerResponse>();

  server.on("connection", (socket: Socket) => {
    waits.set(socket, { of: undefined, since: performance.now() });
    socket.once("close", () => waits.delete(socket));
  });
  server.on("request", ({ socket }, response) => latest.set(socket, response));
  // One timer for all sockets: a timer per response would cost every request.
  const timer = setInterval(sweep, sweepMs).unref();
  server.once("close", () => clearInterval(timer));

  function sweep(): void {
    const now = performance.now();
    const untaken: [Socket, since: number][] = [];
    for (const [socket, wait] of waits) {
      const [first] = pendingOf(socket);
      const of = first ?? latest.get(socket);
      const isWorking = first !== undefined && socket.writableLength === 0;
      if (wait.of !== of || isWorking) Object.assign(wait, { of, since: now });
      if (now - wait.since > (first ? maxWriteMs : maxIdleMs)) socket.destroy();
      else if (socket.writableLength > 0) untaken.push([socket, wait.since]);
    }
    endOldest(untaken);
  }

  function endOldest(untaken: [Socket, since: number][]): void {
    let bytes = untaken.reduce((sum, [socket]) => sum + socket.writableLength, 0);
    if (bytes <= maxUnflushedBytes) return;
    for (const [socket] of untaken.sort(([, a], [, b]) => a - b)) {
      if (bytes <= maxUnflushedBytes) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }
}
