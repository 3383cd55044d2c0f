import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";

/** The faults of one request. Faults of `afterEffect` occur after the response of the service. */
export const faults = {
  beforeEffect: ["reset before", "reset within the request", "garbage", "503", "429", "silence"],
  afterEffect: [
    "reset after",
    "reset within the response",
    "garbage instead",
    "502 instead",
    "504 instead",
    "slow",
  ],
} as const;
export type Fault = (typeof faults)[keyof typeof faults][number] | "none";

const problem = (status: number, headers = "") =>
  `HTTP/1.1 ${status} Fault\r\ncontent-type: text/html\r\ncontent-length: 5\r\n${headers}connection: close\r\n\r\nfault`;
const instead: Partial<Record<Fault, string>> = {
  garbage: "\u0000\u0001 no HTTP \r\n\r\n",
  "garbage instead": "HTTP/1.1 2oo OK\r\n\r\n",
  "503": problem(503, "retry-after: 1\r\n"),
  "429": problem(429),
  "502 instead": problem(502),
  "504 instead": problem(504),
};

/** Starts a TCP proxy in front of the service. It accepts one request per connection. `nextFault` returns its fault. */
export async function startFaultProxy(target: string, nextFault: () => Fault) {
  const { port: targetPort, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    handle(socket).catch(() => socket.destroy());
  });

  async function handle(socket: Socket): Promise<void> {
    const request = await readRequest(socket);
    const fault = nextFault();
    const isBefore = (faults.beforeEffect as readonly Fault[]).includes(fault);
    if (fault === "reset within the request") await forward(request.subarray(0, -20), true);
    const response = isBefore ? Buffer.alloc(0) : await forward(request, false);
    if (fault === "silence") return;
    if (fault === "none") return void socket.end(response);
    if (fault === "slow") return trickle(socket, response);
    const text = instead[fault];
    if (text !== undefined) return void socket.end(text);
    if (fault === "reset within the response")
      socket.write(response.subarray(0, -20), () => socket.resetAndDestroy());
    else socket.resetAndDestroy();
  }

  /** Sends a request to the service and returns the response. Resets the connection after a partial request. */
  async function forward(request: Buffer, isPart: boolean): Promise<Buffer> {
    const upstream = connect(Number(targetPort), hostname);
    upstream.on("error", () => {});
    await new Promise<void>((resolve) => upstream.write(request, () => resolve()));
    if (!isPart) return buffer(upstream);
    upstream.resetAndDestroy();
    return Buffer.alloc(0);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Reads one request to the end of its body. Sets `connection: close`, so that the service closes the connection. */
async function readRequest(socket: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const head = bytes.subarray(0, end).toString("latin1");
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (bytes.length < end + 4 + length) continue;
    const closing = head.replace(/^connection: .*$/im, "connection: close");
    return Buffer.concat([Buffer.from(closing, "latin1"), bytes.subarray(end)]);
  }
}

async function trickle(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await nextTurn();
  }
  socket.end();
}
