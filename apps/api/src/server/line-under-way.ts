import type { Server } from "node:http";
import type { Socket } from "node:net";

/** More than the longest method and a space. */
const kept = 24;

/**
 * Tells how the line begins that a socket's parser has under way at the end of a packet: Node hands over the
 * last packet only, and a long line comes in many.
 */
export function linesUnderWay(server: Server): (socket: Socket, packet: Buffer) => string {
  const starts = new WeakMap<Socket, string>();
  const startOf = (socket: Socket, packet: Buffer) => {
    const line = packet.lastIndexOf("\n") + 1;
    const before = line === 0 ? (starts.get(socket) ?? "") : "";
    return (before + packet.toString("latin1", line, line + kept)).slice(0, kept);
  };
  server.on("connection", (socket: Socket) => {
    socket.on("data", (packet: Buffer) => starts.set(socket, startOf(socket, packet)));
  });
  return startOf;
}
