import { exampleSubmission } from "@cardbridge/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "../../src/server/serve.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { pacedRequest, rawRequest } from "../support/raw-http.ts";

/** Request framing: ambiguous requests are refused, so that request smuggling is not possible. */
let server: Served;
const fake = fakePorts();
const { app, lines } = fakeApp({ ports: fake.ports });
const log = createLog("info", { write: (line) => void lines.push(line) });

beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { onRefused: log.refused });
});
afterAll(() => server.close(0));

const valid = JSON.stringify(exampleSubmission.input);
const hex = valid.length.toString(16);
const smuggled = "GET /openapi/v1/cards/list?memberId=member-1 HTTP/1.1\r\nhost: a\r\n\r\n";
const post = (...headers: string[]) =>
  [
    "POST /openapi/v1/users/kyc HTTP/1.1",
    "host: a",
    `authorization: Bearer ${fullKey}`,
    "content-type: application/json",
    "connection: close",
    ...headers,
    "",
    "",
  ].join("\r\n");
const get = (...headers: string[]) =>
  ["GET /health/live HTTP/1.1", "host: a", "connection: close", ...headers, "", ""].join("\r\n");
const chunked = "transfer-encoding: chunked";

describe("an ambiguous request is refused and not executed", () => {
  it.each([
    ["chunks and a length", `${post(chunked, "content-length: 4")}1\r\n{\r\n0\r\n\r\n${smuggled}`],
    ["chunks twice", `${post(chunked, chunked)}0\r\n\r\n${smuggled}`],
    ["encoded chunks", `${post("transfer-encoding: gzip, chunked")}${hex}\r\n${valid}\r\n0\r\n\r\n`],
    ["an encoding after the chunks", `${post("transfer-encoding: chunked, gzip")}0\r\n\r\n${smuggled}`],
    ["an unknown encoding", `${post("transfer-encoding: xchunked")}${smuggled}`],
    ["chunks behind a vertical tab", `${post("transfer-encoding: \u000bchunked")}0\r\n\r\n${smuggled}`],
    ["a space before the colon", `${post("transfer-encoding : chunked")}0\r\n\r\n${smuggled}`],
    ["a list of lengths", `${post("content-length: 2, 2")}{}`],
    ["a signed length", `${post("content-length: +2")}{}`],
    ["a length beyond numbers", `${post("content-length: 99999999999999999999999")}{}`],
    ["a chunk of a prefixed size", `${post(chunked)}0x2\r\n{}\r\n0\r\n\r\n`],
    ["a chunk that ends in a bare LF", `${post(chunked)}2\n{}\r\n0\r\n\r\n`],
    ["a chunk longer than its size", `${post(chunked)}2\r\n{}}\r\n0\r\n\r\n`],
    ["HTTP/1.0 with chunks", `${post(chunked).replace("1.1", "1.0")}${hex}\r\n${valid}\r\n0\r\n\r\n`],
    ["a folded header", get("x: a", " b")],
    ["a NUL in a header", get("x: a\u0000b")],
    ["a NUL in the target", get().replace("live", "li\u0000ve")],
    ["bytes beyond ASCII in the target", get().replace("live", "liv\u00e9")],
    ["bare LF", get().replaceAll("\r\n", "\n")],
    ["bare CR", get().replaceAll("\r\n", "\r")],
    ["a bare LF before a header", get("x: a\ny: b")],
    ["two hosts", get("host: b")],
    ["a whole URL without a host", get().replace("/health", "http://a/health").replace("host: a\r\n", "")],
    ["a whole URL of another host", get().replace("/health", "http://b/health")],
    ["HTTP/2.0 in the request line", get().replace("1.1", "2.0")],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a TLS hello", Buffer.from("16030100a50100009f0303", "hex")],
    ["an unknown method", get().replace("GET", "SMUGGLE")],
  ])("%s", async (_name, bytes) => {
    const before = lines.length;
    const answer = await rawRequest(server.url, bytes);
    expect(answer.headers).toMatch(/^http\/1\.1 400 bad request/);
    expect(answer.headers).toContain("content-type: application/problem+json");
    expect(answer.headers).toContain("content-security-policy: default-src 'none'");
    expect(JSON.parse(answer.body)).toMatchObject({ code: "MALFORMED_REQUEST", success: false });
    expect(answer.reset).toBe(false);
    const logged = lines.slice(before).map((line) => JSON.parse(line));
    expect(logged.filter(({ msg }) => msg === "refused")).toMatchObject([
      { level: 30, status: 400, code: "MALFORMED_REQUEST" },
    ]);
  });

  it("none of these reached the provider", () => {
    expect(fake.sent).toEqual([]);
    expect(lines.join()).not.toMatch(/erin|member-1|unexpected error/i);
  });
});

describe("a valid request gets a response", () => {
  it.each([
    ["a whole URL", get().replace("/health", "http://a/health"), 200],
    ["HTTP/1.0", get().replace("1.1", "1.0"), 200],
    ["empty lines before a request", `\r\n\r\n${get()}`, 200],
    [
      "an upgrade to HTTP/2",
      get("connection: upgrade, http2-settings", "upgrade: h2c", "http2-settings: AA"),
      200,
    ],
    [
      "an upgrade to a WebSocket",
      get("connection: upgrade", "upgrade: websocket", "sec-websocket-key: x"),
      200,
    ],
    ["a chunk with an extension", `${post(chunked)}2;a=b\r\n{}\r\n0\r\n\r\n`, 400],
    [
      "trailers that look like headers",
      `${post(chunked)}2\r\n{}\r\n0\r\nauthorization: x\r\nhost: b\r\n\r\n`,
      400,
    ],
    ["another method in a header", get("x-http-method-override: DELETE", "x-method-override: POST"), 200],
    ["another path in a header", get("x-original-url: /openapi/v1/cards/list", "x-rewrite-url: /x"), 200],
  ])("%s", async (_name, bytes, status) => {
    const answer = await rawRequest(server.url, bytes);
    expect(answer).toMatchObject({ status, reset: false });
    if (status === 400) expect(answer.body).toContain("INVALID_INPUT");
  });

  it("with a body that looks like a request", async () => {
    const bytes = `${get(`content-length: ${smuggled.length}`).replace("connection: close\r\n", "")}${smuggled}`;
    const answer = await rawRequest(server.url, bytes + get().replace("live", "ready"));
    expect(answer.body).toMatch(/^\{"status":"live"\}HTTP\/1\.1 200 OK/);
    expect(answer.body).toMatch(/\{"status":"ready","environment":"test"\}$/);
  });
});

it("pipelined requests get their responses in order", async () => {
  const waiting: (() => void)[] = [];
  const { ports } = fakePorts({
    async listCards() {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { items: [], total: waiting.length };
    },
  });
  const own = await serve(fakeApp({ ports }).app.fetch, { host: "127.0.0.1", port: 0 });
  const ask = (page: number, close = "") =>
    `GET /openapi/v1/cards/list?memberId=member-1&page=${page} HTTP/1.1\r\nhost: a\r\n` +
    `authorization: Bearer ${fullKey}\r\n${close}\r\n`;
  const together = [1, 2, 3, 4].map((page) => ask(page)).join("") + ask(5, "connection: close\r\n");
  const answered = rawRequest(own.url, together);
  await expect.poll(() => waiting.length).toBe(5);
  for (const release of waiting.reverse()) release();
  const { body } = await answered;
  expect([...body.matchAll(/"page":(\d)/g)].map(([, page]) => page)).toEqual(["1", "2", "3", "4", "5"]);
  await own.close(0);
});

it.each([
  [32, 32],
  [2_000, 0],
])("%i pipelined requests get %i responses, and at most 32 start", async (count, answered) => {
  let started = 0;
  const own = await serve(
    async () => {
      started += 1;
      return new Response("answered");
    },
    { host: "127.0.0.1", port: 0 },
  );
  const ask = (close = "") => `GET /health/live HTTP/1.1\r\nhost: a\r\n${close}\r\n`;
  const last = ask("connection: close\r\n");
  const { body } = await rawRequest(own.url, ask().repeat(count - 1) + last);
  expect(body.match(/answered/g) ?? []).toHaveLength(answered);
  expect(started).toBe(32);
  await own.close(0);
});

describe("a request that arrives in parts and is too long", () => {
  const pieces = (start: string, end: string) => [
    start,
    ...Array.from({ length: 10 }, () => "m".repeat(4_000)),
    end,
  ];

  it("gets 431 for the target, on the first and on a later request", async () => {
    const target = "GET /openapi/v1/cards/list?memberId=";
    const first = await pacedRequest(server.url, 2, ...pieces(target, " HTTP/1.1\r\nhost: a\r\n\r\n"));
    expect([first.status, first.reset]).toEqual([431, false]);
    const kept = get().replace("connection: close\r\n", "");
    const later = await pacedRequest(server.url, 2, kept, ...pieces(target, " HTTP/1.1\r\nhost: a\r\n\r\n"));
    expect(later.body).toMatch(/^\{"status":"live"\}HTTP\/1\.1 431 /);
  });

  it("gets 431 for a header", async () => {
    const start = "GET /health/live HTTP/1.1\r\nhost: a\r\nx: ";
    const answer = await pacedRequest(server.url, 2, ...pieces(start, "\r\n\r\n"));
    expect([answer.status, answer.reset]).toEqual([431, false]);
  });
});
