import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type Served, serve } from "../../src/server/serve.ts";

let server: Served;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close(0);
});

async function start(socketsPerAddress?: number): Promise<void> {
  const app = () => new Response("served");
  server = await serve(app, { host: "127.0.0.1", port: 0 }, { socketsPerAddress });
}

/** Opens a socket from a loopback address, and asks over it. Returns whether it is answered. */
async function ask(localAddress: string): Promise<boolean> {
  const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", localAddress });
  sockets.push(socket.on("error", () => {}));
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  return Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
}

it("an address has no more sockets than its limit, and others have theirs", async () => {
  await start(2);
  const answered: boolean[] = [];
  for (let times = 0; times < 4; times += 1) answered.push(await ask("127.0.0.1"));
  expect(answered).toEqual([true, true, false, false]);
  expect(await ask("127.0.0.2")).toBe(true);
});

it("a socket that ends makes room for another", async () => {
  await start(1);
  expect(await ask("127.0.0.1")).toBe(true);
  sockets[0]?.destroy();
  await expect.poll(() => ask("127.0.0.1")).toBe(true);
  expect(await ask("127.0.0.1")).toBe(false);
});

it("there is no limit unless it is set", async () => {
  await start();
  for (let times = 0; times < 20; times += 1) expect(await ask("127.0.0.1")).toBe(true);
});
