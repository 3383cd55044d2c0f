import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { testCertificate, testKey } from "./certificate.ts";

export interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: Record<string, string>;
  body: string;
}

type Respond = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  port: number;
  received: Received[];
  sockets: Socket[];
}

/** Starts an HTTP server on loopback that records its requests. */
export function receive(respond: Respond): Promise<Receiver> {
  return start((handle) => createServer(handle), respond);
}

/** Starts an HTTPS server on loopback with the certificate of the tests. */
export function receiveTls(respond: Respond): Promise<Receiver> {
  return start((handle) => createHttps({ key: testKey, cert: testCertificate }, handle), respond);
}

/** Starts a TCP server on loopback that calls `treat` for each connection after its first bytes. */
export async function receiveRaw(treat: (socket: Socket) => void): Promise<Receiver> {
  const server = createTcp((socket) => {
    socket.once("data", () => treat(socket));
  });
  return { ...(await listen(server)), received: [] };
}

async function start(
  create: (handle: (request: IncomingMessage, response: ServerResponse) => void) => Server,
  respond: Respond,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = create(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { method, url: path, headers } = request;
    const one = { method, path, headers: headers as Record<string, string>, body };
    received.push(one);
    respond(response, one);
  });
  return { ...(await listen(server)), received };
}

async function listen(server: Server): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}
