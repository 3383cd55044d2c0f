import type { IncomingMessage, ServerResponse } from "node:http";

/** Node's own request and response, beside those that Hono receives. */
export interface NodeRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/**
 * The network address at the other end of the socket; null without one. Behind a proxy it is the proxy's: no header
 * is trusted.
 */
export function addressOf(node: Partial<NodeRequest> | undefined): string | null {
  const address = node?.incoming?.socket.remoteAddress;
  // An IPv4 address on an IPv6 socket.
  return address?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? null;
}
