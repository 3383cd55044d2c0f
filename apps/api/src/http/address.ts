import type { Socket } from "node:net";

/** The remote address; null without a socket. Behind a proxy, it is the proxy's address, because no header is trusted. */
export function addressOf(socket: Pick<Socket, "remoteAddress"> | undefined): string | null {
  return socket?.remoteAddress === undefined ? null : withoutMapping(socket.remoteAddress);
}

/** The IPv4 address of one that an IPv6 socket maps. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/, "");
}
