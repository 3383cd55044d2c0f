import { type AddressInfo, createServer, type Server } from "node:net";
import { closeServer, urlOf } from "@cardbridge/node";
import { listenBacklog } from "../config/limits.ts";
import { createHttpServer, type Fetch, type HttpServerOptions } from "./http-server.ts";

export interface Served {
  url: string;
  /** Stops accepting requests, waits `graceMs` for active ones, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
  /** Listens on the port already. */
  socket?: Server | undefined;
}

/** The address is not available, with a message for the user. */
export class ListenError extends Error {}

/**
 * Serves an app over HTTP.
 * @throws ListenError if the address is in use or not permitted.
 */
export async function serve(fetch: Fetch, address: Address, options?: HttpServerOptions): Promise<Served> {
  const server = createHttpServer(fetch, options);
  await listen(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    url: urlOf({ host: address.host, port }),
    close: (graceMs) => closeServer(server, graceMs),
  };
}

/**
 * Checks early, before slow parts start, that the address is available. For port 0, takes a free one and keeps its
 * socket for `serve`: until then, another process could take the port.
 *
 * @param command the start command, for the hint in the error
 * @throws ListenError like `serve`.
 */
export async function takeAddress({ host, port }: Address, command = ""): Promise<Address> {
  const socket = createServer();
  await listen(socket, { host, port }, command);
  if (port === 0) return { host, port: (socket.address() as AddressInfo).port, socket };
  // A process that is not ready must refuse connections: clients know this port.
  await new Promise((resolve) => socket.close(resolve));
  return { host, port };
}

function listen(server: Server, { host, port, socket }: Address, command = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ListenError(explain(error, host, port, command))),
    );
    server.listen(socket ?? { port, host, backlog: listenBacklog }, () => resolve());
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number, command: string): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use by another process. Stop it, or use another port: PORT=${port + 1}${command}`;
    case "EACCES":
      return `This user is not permitted to listen on port ${port}. Use a port above 1023, such as PORT=3000.`;
    default:
      return `Cannot listen on ${host}:${port} (${error.code}). Check HOST and PORT.`;
  }
}
