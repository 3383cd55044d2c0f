import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A request as received on the socket. */
export interface Received {
  method: string;
  target: string;
  headers: ReadonlyMap<string, string>;
  body: string;
}

export interface Listener {
  url: string;
  port: number;
  requests: Received[];
  sockets: Socket[];
  close(): Promise<void>;
}

/** Writes a valid or invalid response to the socket. `count` is the number of the request, starting at 1. */
export type Behaviour = (socket: Socket, request: Received, count: number) => void;

/** Starts a TCP server that parses HTTP requests and lets a behaviour write the responses. */
export async function listen(behave: Behaviour, port = 0): Promise<Listener> {
  const requests: Received[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let input = "";
    socket.setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      input += chunk;
      for (let read = readRequest(input); read; read = readRequest(input)) {
        input = input.slice(read.length);
        requests.push(read.request);
        behave(socket, read.request, requests.length);
      }
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = (server.address() as AddressInfo).port;

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return { url: `http://127.0.0.1:${bound}`, port: bound, requests, sockets, close };
}

function readRequest(input: string): { request: Received; length: number } | undefined {
  const end = input.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [start = "", ...lines] = input.slice(0, end).split("\r\n");
  const headers = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(":") + 1).trim()]));
  const length = end + 4 + Number(headers.get("content-length") ?? 0);
  if (input.length < length) return undefined;
  const [method = "", target = ""] = start.split(" ");
  const body = Buffer.from(input.slice(end + 4, length), "latin1").toString();
  return { request: { method, target, headers, body }, length };
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":")).toLowerCase();
}
