import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { constantContent, immutable, revalidated } from "../../../src/http/middleware/constant-content.ts";
import { createHttpServer } from "../../../src/server/http-server.ts";

const text = "a line of text\n".repeat(2_000);
const decode: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

/** An app that serves a content, and a list with one entry for each load. */
function contentApp(load: () => Promise<string> = async () => text) {
  const loads: number[] = [];
  const content = constantContent("text/plain", () => {
    loads.push(1);
    return load();
  });
  const app = new Hono();
  app.get("/", content.serve(revalidated));
  app.get("/immutable", content.serve(immutable));
  app.onError((_error, c) => c.text("failed", 500));
  return { app, loads };
}

it.each([
  ["no header", undefined, "identity"],
  ["what browsers send", "gzip, deflate, br, zstd", "br"],
  ["brotli with quality 0", "br;q=0, gzip;q=0.1", "gzip"],
  ["anything", "*", "identity"],
  ["nonsense", ";;,=q", "identity"],
])("has an encoding that the caller accepts: %s", async (_name, accepted, coding) => {
  const { app } = contentApp();
  const headers: Record<string, string> = accepted === undefined ? {} : { "accept-encoding": accepted };
  const response = await app.request("/", { headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get("content-encoding") ?? "identity").toBe(coding);
  expect(response.headers.get("vary")).toBe("accept-encoding");
  expect(response.headers.get("content-length")).toBe(String(bytes.byteLength));
  expect(Buffer.from(decode[coding]?.(bytes) ?? []).toString()).toBe(text);
  if (coding !== "identity") expect(bytes.byteLength).toBeLessThan(1_000);
});

it("returns 304 without a body to a caller that has the content, and the content to others", async () => {
  const { app } = contentApp();
  const asked = (etag: string, coding = "br") =>
    app.request("/", { headers: { "accept-encoding": coding, "if-none-match": etag } });
  const { headers } = await asked("");
  const etag = headers.get("etag") ?? "";
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const response = await asked(known);
    expect([known, response.status, await response.text()]).toEqual([known, 304, ""]);
    for (const name of ["etag", "vary", "cache-control"])
      expect(response.headers.get(name)).toBe(headers.get(name));
    expect(response.headers.get("content-encoding")).toBeNull();
  }
  expect(headers.get("cache-control")).toBe("no-cache");
  expect((await app.request("/immutable")).headers.get("cache-control")).toMatch(/immutable$/);
  expect((await asked('"other"')).status).toBe(200);
  expect((await asked(etag, "gzip")).status).toBe(200);
});

it("is not compressed again if its format is compressed already", async () => {
  const app = new Hono();
  app.get("/", constantContent("image/webp", async () => text).serve(immutable));
  const response = await app.request("/", { headers: { "accept-encoding": "br, gzip" } });
  expect([response.headers.get("content-encoding"), await response.text()]).toEqual([null, text]);
});

it("is loaded and compressed once for concurrent requests", async () => {
  const { app, loads } = contentApp();
  await Promise.all(Array.from({ length: 50 }, () => app.request("/")));
  await app.request("/immutable");
  expect(loads).toHaveLength(1);
});

it("is loaded again after a failure", async () => {
  const results = [() => Promise.reject(new Error("no file")), async () => text];
  const { app } = contentApp(() => results.shift()?.() ?? Promise.reject(new Error("once more")));
  expect([(await app.request("/")).status, (await app.request("/")).status]).toEqual([500, 200]);
});

it("waits in chunks for a caller that does not read, and is complete after it reads", async () => {
  const large = "a line of text\n".repeat(2_000_000);
  const { app } = contentApp(async () => large);
  const server = createHttpServer(app.fetch);
  let most = 0;
  server.on("connection", (socket) => {
    const measure = setInterval(() => {
      most = Math.max(most, socket.writableLength);
    }, 5);
    socket.once("close", () => clearInterval(measure));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const caller = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" }).pause();
  caller.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  await expect.poll(() => most).toBeGreaterThan(0);
  let taken = 0;
  caller.on("data", (bytes) => {
    taken += bytes.length;
  });
  caller.resume();
  await once(caller, "end");
  server.close();
  expect(taken).toBeGreaterThan(large.length);
  expect(most).toBeLessThan(1_000_000);
});
