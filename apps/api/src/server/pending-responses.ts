import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The pending responses of a socket, in the order of their requests. */
export type PendingResponses = (socket: Socket) => ServerResponse[];

/** Keeps the pending responses of a server's sockets. */
export function pendingResponses(server: Server): PendingResponses {
  const pending = new WeakMap<Socket, Set<ServerResponse>>();
  const add = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = pending.get(socket) ?? new Set();
    pending.set(socket, responses.add(response));
    response.once("close", () => responses.delete(response));
  };
  server.on("request", add);
  server.on("checkExpectation", add);
  return (socket) => [...(pending.get(socket) ?? [])];
}
