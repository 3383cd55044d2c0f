import type { Server } from "node:http";

/** The address as a URL, with brackets for IPv6. */
export function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Stops accepting connections, waits `graceMs` for active requests, then closes all connections. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Node does not close connections that become idle later.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
