import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { limitSockets } from "../../../src/server/limit-sockets.ts";
import { pendingResponses } from "../../../src/server/pending-responses.ts";

/** Larger than the buffers of a socket and its kernel. */
const large = Buffer.alloc(64 * 1024 * 1024);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

let server: Server;
let ended: string[];
let callers: Socket[];
afterEach(async () => {
  for (const caller of callers) caller.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

async function start(limits: Parameters<typeof limitSockets>[2]): Promise<void> {
  const urls: string[] = [];
  ended = urls;
  callers = [];
  server = createServer(({ url, socket }, response) => {
    socket.once("close", () => urls.push(url ?? ""));
    if (url !== "/working") response.end(url?.startsWith("/large") ? large : "small");
  });
  limitSockets(server, pendingResponses(server), { sweepMs: 20, ...limits });
  await once(server.listen(0, "127.0.0.1"), "listening");
}

/** Connects, sends bytes, and reads nothing. */
async function send(bytes: string): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  callers.push(socket.on("error", () => {}).pause());
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe("a socket ends", () => {
  it("if its caller does not read a response, and other sockets stay", async () => {
    await start({ maxWriteMs: 100 });
    await send(get("/working"));
    await send(get("/small"));
    await send(get("/large"));
    await expect.poll(() => ended).toEqual(["/large"]);
    expect(await connections()).toBe(2);
  });

  it("if its caller reads a response too slowly", async () => {
    await start({ maxWriteMs: 300 });
    const slow = await send(get("/large"));
    const sip = setInterval(() => slow.read(1_000), 10);
    await expect.poll(() => ended).toEqual(["/large"]);
    clearInterval(sip);
  });

  it("if it sends no request, before the first one and after one, also with blank lines", async () => {
    await start({ maxIdleMs: 200 });
    await send("");
    const blank = await send(get("/small"));
    const lines = setInterval(() => blank.write("\r\n"), 20);
    await send(get("/working"));
    // Wait for the end first: the server may not have accepted all of the sockets yet.
    await expect.poll(() => ended).toEqual(["/small"]);
    await expect.poll(connections).toBe(1);
    clearInterval(lines);
  });

  it("if all unread responses together are too large, the oldest first", async () => {
    await start({ maxUnflushedBytes: 150 * 1024 * 1024 });
    await send(get("/large/1"));
    await expect.poll(connections).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await send(get("/large/2"));
    await send(get("/large/3"));
    await expect.poll(() => ended).toEqual(["/large/1"]);
    expect(await connections()).toBe(2);
  });
});

it("a socket that is used repeatedly stays open", async () => {
  // A busy machine pauses for longer than 200 ms.
  await start({ maxIdleMs: 1_000, maxWriteMs: 1_000 });
  const socket = await send("");
  socket.resume();
  for (let times = 0; times < 30; times += 1) {
    socket.write(get("/small"));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect([ended, await connections()]).toEqual([[], 1]);
});
