import type { IncomingMessage, ServerResponse } from "node:http";

/** Node's own request and answer, beside the ones that hono is handed. */
export interface NodeRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/**
 * The network address at the other end of the socket; null without one. What a header claims is not believed:
 * behind a proxy this is the proxy's.
 */
export function addressOf(node: Partial<NodeRequest> | undefined): string | null {
  const address = node?.incoming?.socket.remoteAddress;
  // An IPv4 address on an IPv6 socket.
  return address?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? null;
}
