import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface ServeOptions {
  host: string;
  port: number;
  /** Handles the paths that start with `prefix` instead of the app. */
  mounted?: { prefix: string; handle: NodeHandler } | undefined;
}

export interface Served {
  port: number;
  /** Refuses new connections, and closes all others after `graceMs`. Streams end at once. */
  close(graceMs: number): Promise<void>;
}

/** Serves the app over HTTP. Rejects if the address is not available. */
export async function serve(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, mounted }: ServeOptions,
): Promise<Served> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    const isMounted = mounted && request.url?.startsWith(mounted.prefix);
    if (isMounted) mounted.handle(request, response);
    else void listener(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}
