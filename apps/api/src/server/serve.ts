import { type AddressInfo, createServer, type Server } from "node:net";
import { createHttpServer, type Fetch, type HttpServerOptions } from "./http-server.ts";

export interface Served {
  url: string;
  /** Stops accepting, lets requests under way end within `graceMillis`, then cuts what is left. */
  close(graceMillis: number): Promise<void>;
}

/** The port is not to be had. The message says so to the person who started the service. */
export class ListenError extends Error {}

/**
 * Serves an app over HTTP.
 * @throws ListenError when the address is taken or not allowed.
 */
export async function serve(
  fetch: Fetch,
  { host, port }: { host: string; port: number },
  options?: HttpServerOptions,
): Promise<Served> {
  const server = createHttpServer(fetch, options);
  await listen(server, host, port);
  const { port: actual } = server.address() as AddressInfo;
  return { url: urlOf({ host, port: actual }), close };

  async function close(graceMillis: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Node closes idle connections only when it is asked to: those that fall idle later would stay open.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), graceMillis);
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
  }
}

/** The address as a URL; an IPv6 one stands in brackets there. */
export function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Finds out early, before anything slow is started, whether an address can be listened on. Returns its port:
 * a free one where 0 is asked for.
 * `command` is what starts the service with another port.
 * @throws ListenError as `serve` does.
 */
export async function findPort(address: { host: string; port: number }, command = ""): Promise<number> {
  const probe = createServer();
  await listen(probe, address.host, address.port, command);
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function listen(server: Server, host: string, port: number, command = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ListenError(explain(error, host, port, command))),
    );
    server.listen(port, host, () => resolve());
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number, command: string): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken by another process. Stop it, or choose another: PORT=${port + 1}${command}`;
    case "EACCES":
      return `This user may not listen on port ${port}. Choose one above 1023, such as PORT=3000.`;
    default:
      return `Cannot listen on ${host}:${port} (${error.code}). Check HOST and PORT.`;
  }
}
