import type { Socket } from "node:net";

/** The remote address; null without a socket. Behind a proxy, it is the proxy's address, because no header is trusted. */
export function addressOf(socket: Pick<Socket, "remoteAddress"> | undefined): string | null {
  // An IPv6 socket maps an IPv4 address.
  return socket?.remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? null;
}
