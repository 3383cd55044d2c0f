import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Returns the pending responses of each of a server's sockets, in the order of their requests. */
export function pendingResponses(server: Server): (socket: Socket) => ServerResponse[] {
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
