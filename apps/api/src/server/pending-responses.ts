import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The pending responses of a socket, in the order of their requests. */
export type PendingResponses = (socket: Socket) => ServerResponse[];

/** Tracks the pending responses of a server's sockets. */
export function pendingResponses(server: Server): PendingResponses {
  const pending = new WeakMap<Socket, Set<ServerResponse>>();
  server.on("request", ({ socket }, response) => {
    const responses = pending.get(socket) ?? new Set();
    pending.set(socket, responses.add(response));
    response.once("close", () => responses.delete(response));
  });
  return (socket) => [...(pending.get(socket) ?? [])];
}
