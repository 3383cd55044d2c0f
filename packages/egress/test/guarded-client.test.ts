import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createExternalFiles } from "../src/files/external-files.ts";
import { connectLocally } from "./support/client.ts";
import { createClock } from "./support/clock.ts";
import { receive, receiveRaw } from "./support/receiver.ts";

const get = (port: number) => ({ method: "GET" as const, url: `http://127.0.0.1:${port}/` });

/** Writes the same bytes until the socket closes. */
function flood(socket: Socket, head: string, chunk: string): void {
  socket.write(head);
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

/** Writes one byte after another. */
function drip(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write("x"), 5);
  socket.on("close", () => clearInterval(timer));
}

const ok = "HTTP/1.1 200 OK\r\n";

describe("a response", () => {
  it("that is a redirect is not followed", async () => {
    const inside = await receive((response) => response.end("secret"));
    const outside = await receive((response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const result = await connectLocally().request(get(outside.port));
    expect(result).toMatchObject({ kind: "response", status: 302 });
    expect(inside.sockets).toHaveLength(0);
  });

  it("is read up to the limit, and its connection closes", async () => {
    const endless = await receiveRaw((socket) =>
      flood(socket, `${ok}transfer-encoding: chunked\r\n\r\n`, `400\r\n${"x".repeat(1024)}\r\n`),
    );
    const result = await connectLocally().request(get(endless.port));
    expect(result).toMatchObject({ kind: "response", status: 200, broken: "too-large" });
    expect(result.kind === "response" && result.bytes.length).toBe(65_536);
    await expect.poll(() => endless.sockets[0]?.destroyed).toBe(true);
  });

  it.each([
    ["has an endless head", (socket: Socket) => flood(socket, ok, `x-filler: ${"x".repeat(1000)}\r\n`)],
    ["has an endless header", (socket: Socket) => flood(socket, `${ok}x-filler: `, "x".repeat(1000))],
    [
      "has endless trailers",
      (socket: Socket) =>
        flood(socket, `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, `x-filler: ${"x".repeat(1000)}\r\n`),
    ],
    [
      "is an endless series of interim responses",
      (socket: Socket) => flood(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n"),
    ],
    ["is not HTTP", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
  ])("that %s is invalid, and its connection closes", async (_, treat) => {
    const receiver = await receiveRaw(treat);
    const result = await connectLocally().request(get(receiver.port));
    expect([result.kind === "response" ? result.broken : result.reason]).toEqual(["not-http"]);
    await expect.poll(() => receiver.sockets[0]?.destroyed).toBe(true);
  });

  it.each([
    ["never arrives", () => {}],
    ["sends its head byte by byte", (socket: Socket) => drip(socket, `${ok}x-slow: `)],
    ["sends its body byte by byte", (socket: Socket) => drip(socket, `${ok}content-length: 60000\r\n\r\n`)],
  ])("that %s ends at the deadline, and its connection closes", async (_, treat) => {
    const clock = createClock();
    const receiver = await receiveRaw(treat);
    const pending = connectLocally({ startTimer: clock.startTimer }).request(get(receiver.port));
    await expect.poll(() => receiver.sockets.length).toBe(1);
    clock.advance(15_000);
    expect(await pending).toEqual({ kind: "timeout", reason: "deadline", sent: true });
    await expect.poll(() => receiver.sockets[0]?.destroyed).toBe(true);
  });

  it("that is reset results in connection-lost", async () => {
    const { port } = await receiveRaw((socket) => socket.resetAndDestroy());
    const lost = { kind: "connection-failed", reason: "connection-lost", sent: true };
    expect(await connectLocally().request(get(port))).toEqual(lost);
  });

  it("is not awaited after an abort", async () => {
    const receiver = await receiveRaw(() => {});
    const stop = new AbortController();
    const pending = connectLocally().request({ ...get(receiver.port), signal: stop.signal });
    await expect.poll(() => receiver.sockets.length).toBe(1);
    stop.abort();
    expect(await pending).toMatchObject({ reason: "aborted" });
    const late = connectLocally().request({ ...get(receiver.port), signal: stop.signal });
    expect(await late).toMatchObject({ reason: "aborted" });
  });
});

describe("a file", () => {
  const read = async (status: number, headers: Record<string, string>, body: string) => {
    const { port } = await receive((response) => response.writeHead(status, headers).end(body));
    const files = createExternalFiles({ client: connectLocally(), maxBytes: 100, deadlineMs: 5_000 });
    return files.read(`http://127.0.0.1:${port}/`);
  };

  it("is read completely, with its type", async () => {
    const file = await read(200, { "content-type": "image/png" }, "x".repeat(100));
    expect([file.type, await file.text()]).toEqual(["image/png", "x".repeat(100)]);
  });

  it.each([
    ["is too large", 200, {}, "x".repeat(101), "too-large"],
    ["has a Content-Length that is too large", 200, { "content-length": "101" }, "", "too-large"],
    ["is encoded", 200, { "content-encoding": "gzip" }, "x", "encoded"],
    ["is not found", 404, {}, "", "status-404"],
    ["is partial", 206, {}, "", "status-206"],
  ] as const)("that %s is not read", async (_, status, headers, body, reason) => {
    await expect(read(status, headers, body)).rejects.toMatchObject({ name: "ExternalFileError", reason });
  });
});
