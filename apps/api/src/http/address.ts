/** The part of Node's own request that the service looks at. */
export interface NodeRequest {
  incoming: { socket: { remoteAddress?: string | undefined } };
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
