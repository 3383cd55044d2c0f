import type { IncomingMessage, ServerResponse } from "node:http";

/** Node's request and response, which the adapter passes to Hono. */
export interface NodeRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/**
 * The socket's remote address; null without a socket. Behind a proxy, it is the proxy's address, because no header is
 * trusted.
 */
export function addressOf(node: Partial<NodeRequest> | undefined): string | null {
  const address = node?.incoming?.socket.remoteAddress;
  // An IPv6 socket maps an IPv4 address.
  return address?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? null;
}
