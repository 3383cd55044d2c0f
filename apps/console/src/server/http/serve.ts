import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "@cardbridge/node";
import { getRequestListener } from "@hono/node-server";

/** In milliseconds. A proxy must be the first to close an idle connection, or calls fail on it. */
const limits = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface ServeOptions {
  host: string;
  port: number;
  /** Handles the paths that start with `prefix` instead of the app. */
  mounted?: { prefix: string; handle: NodeHandler } | undefined;
}

export interface Served {
  port: number;
  /** Refuses new connections, closes idle ones, and all others after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Serves the app over HTTP. Rejects if the address is not available. */
export async function serve(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, mounted }: ServeOptions,
): Promise<Served> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const server = createServer(limits, (request, response) => {
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
    close: (graceMs) => closeServer(server, graceMs),
  };
}
