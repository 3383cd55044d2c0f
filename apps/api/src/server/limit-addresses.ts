import type { Server } from "node:http";
import type { Socket } from "node:net";
import { withoutMapping } from "../http/address.ts";

/** Limits the sockets of each remote address. A socket beyond the limit is closed at once, like one beyond all sockets. */
export function limitAddresses(server: Server, max: number): void {
  const counts = new Map<string, number>();

  // Prepended, so that nothing is read from a refused socket.
  server.prependListener("connection", (socket: Socket) => {
    const address = withoutMapping(socket.remoteAddress ?? "");
    const count = (counts.get(address) ?? 0) + 1;
    if (count > max) return void socket.destroy();
    counts.set(address, count);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 0) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
}
