import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import { createAdaptorServer } from "@hono/node-server";
import { carriage } from "../errors.ts";
import { requestId } from "../ids.ts";
import { toProblem } from "../problem.ts";

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
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: { host: string; port: number },
): Promise<Served> {
  const server = createAdaptorServer({ fetch }) as Server;
  server.on("clientError", answerUnreadable);
  await listen(server, host, port);
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`, close };

  async function close(graceMillis: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(() => server.closeAllConnections(), graceMillis);
    await closed;
    clearTimeout(cut);
  }
}

/**
 * Finds out early, before anything slow is started, whether an address can be listened on. Returns its port:
 * a free one where 0 is asked for.
 * @throws ListenError as `serve` does.
 */
export async function findPort(address: { host: string; port: number }): Promise<number> {
  const probe = await serve(() => new Response(), address);
  await probe.close(0);
  return Number(new URL(probe.url).port || 80);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ListenError(explain(error, host, port))),
    );
    server.listen(port, host, () => resolve());
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken by another process. Stop it, or choose another: PORT=${port + 1} npm start`;
    case "EACCES":
      return `This user may not listen on port ${port}. Choose one above 1023, such as PORT=3000.`;
    default:
      return `Cannot listen on ${host}:${port} (${error.code}). Check HOST and PORT.`;
  }
}

/** What Node's parser refuses never reaches the app: it gets the same error body all the same. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const code: ErrorCode = error.code === "HPE_HEADER_OVERFLOW" ? "HEADERS_TOO_LARGE" : "MALFORMED_REQUEST";
  const id = requestId();
  const body = JSON.stringify(toProblem(new Failure(code), id, "parameter"));
  socket.end(
    [
      `HTTP/1.1 ${carriage[code].status} ${code === "MALFORMED_REQUEST" ? "Bad Request" : "Request Header Fields Too Large"}`,
      "content-type: application/problem+json",
      `x-request-id: ${id}`,
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
