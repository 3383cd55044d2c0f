import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Admission } from "../admission/gates.ts";

/** Node's request and response, which the adapter passes to Hono, and what the gates found about the request. */
export interface NodeRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  admission?: Admission | undefined;
}

/**
 * The socket's remote address; null without a socket. Behind a proxy, it is the proxy's address, because no header is
 * trusted.
 */
export function addressOf(node: Partial<NodeRequest> | undefined): string | null {
  return addressOfSocket(node?.incoming?.socket);
}

export function addressOfSocket(socket: Pick<Socket, "remoteAddress"> | undefined): string | null {
  return socket?.remoteAddress === undefined ? null : withoutMapping(socket.remoteAddress);
}

/** The IPv4 address of one that an IPv6 socket maps. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/, "");
}
