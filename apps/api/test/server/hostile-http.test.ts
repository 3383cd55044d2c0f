import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { exampleSubmission } from "@cardbridge/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "../../src/server/serve.ts";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { converse, type RawAnswer, rawRequest } from "../support/raw-http.ts";

/** Responses to invalid and oversized HTTP, over real sockets. The deep tier tests slow callers. */
let server: Served;
const fake = fakePorts();
const { app, lines } = fakeApp({ ports: fake.ports });

/** The server's side of the last connection. */
let accepted: Socket | undefined;
const onAccepted = (message: unknown) => {
  accepted = (message as { socket: Socket }).socket;
};

beforeAll(async () => {
  subscribe("net.server.socket", onAccepted);
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  unsubscribe("net.server.socket", onAccepted);
  await server.close(0);
});

/** Waits until the server has read and parsed all that a caller wrote. */
async function areRead(socket: Socket): Promise<void> {
  await expect
    .poll(() => accepted?.remotePort === socket.localPort && accepted?.bytesRead, { interval: 1 })
    .toBe(socket.bytesWritten);
  // The parser yields between two requests of one part. After one turn it has parsed both.
  await turn();
}

const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, "host: a", "connection: close", ...headers, "", ""].join("\r\n");
const paths = ["/openapi/v1/users/kyc", "/trpc/kyc.submit"];
const auth = `authorization: Bearer ${fullKey}`;
const json = "content-type: application/json";
const valid = JSON.stringify(exampleSubmission.input);
const sized = (body: string) => `content-length: ${Buffer.byteLength(body)}`;

/** Expects exactly one complete error response. */
function expectProblem({ headers, body, reset }: RawAnswer, status: number, code: string) {
  expect(headers).toMatch(new RegExp(`^http/1.1 ${status} `));
  expect(headers).toContain("content-type: application/problem+json");
  const requestId = /^x-request-id: (req_\w+)$/m.exec(headers)?.[1];
  expect(JSON.parse(body)).toMatchObject({ code, success: false, requestId });
  expect(reset).toBe(false);
}

describe.each(paths)("a POST to %s", (path) => {
  const big = Buffer.alloc(2 * 1024 * 1024, "x");
  const chunk = Buffer.concat([Buffer.from("10000\r\n"), big.subarray(0, 0x10000), Buffer.from("\r\n")]);
  const chunks = [...Array.from({ length: 32 }, () => chunk), "0\r\n\r\n"];

  it.each([
    ["of 2 MB", 413, [auth, json, `content-length: ${big.length}`], [big]],
    ["of 2 MB in chunks, without a length,", 413, [auth, json, "transfer-encoding: chunked"], chunks],
    ["of 2 MB without a key", 401, [json, `content-length: ${big.length}`], [big]],
    ["of 2 MB of text", 415, [auth, "content-type: text/plain", `content-length: ${big.length}`], [big]],
  ])("%s gets a complete %i, in each of five rounds", async (_name, status, headers, parts) => {
    for (let round = 0; round < 5; round += 1) {
      const answer = await rawRequest(server.url, head(path, ...headers), ...parts);
      expect(answer).toMatchObject({ status, reset: false });
      expect(() => JSON.parse(answer.body)).not.toThrow();
    }
  });

  it.each([
    ["invalid UTF-8", Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ["a number out of range", "1e999"],
    ["unclosed nested arrays", "[".repeat(60_000)],
  ])("of %s gets 400 with status null (G15)", async (_name, body) => {
    const length = Buffer.byteLength(body);
    const answer = await rawRequest(server.url, head(path, auth, json, `content-length: ${length}`), body);
    expect(answer).toMatchObject({ status: 400, reset: false });
    expect(answer.body).toContain('"status":null');
  });
});

it.each(paths)("a POST to %s with __proto__ is a submission with unknown fields", async (path) => {
  const { ports, sent } = fakePorts();
  const own = await serve(fakeApp({ ports }).app.fetch, { host: "127.0.0.1", port: 0 });
  const body = valid.replace("{", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},');
  const answer = await rawRequest(own.url, head(path, auth, json, sized(body)), body);
  await own.close(0);
  expect(answer.status).toBe(200);
  expect(Object.prototype).not.toHaveProperty("polluted");
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toContain("polluted");
});

describe("invalid HTTP", () => {
  it.each([
    ["nonsense", "nonsense\r\n\r\n", 400, "MALFORMED_REQUEST"],
    [
      "headers beyond their limit",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\nconnection: close\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "headers beyond the parser's limit",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(500_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "2,000 headers",
      `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(2_000)}host: a\r\nconnection: close\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "an invalid expectation",
      "GET /health/live HTTP/1.1\r\nhost: a\r\nexpect: foo\r\nconnection: close\r\n\r\n",
      400,
      "MALFORMED_REQUEST",
    ],
    ["a tunnel", "CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n", 405, "METHOD_NOT_ALLOWED"],
    [
      "a body broken in its middle",
      `${head("/openapi/v1/users/kyc", auth, json, "transfer-encoding: chunked")}1\r\n{\r\nnonsense\r\n`,
      400,
      "MALFORMED_REQUEST",
    ],
  ])("gets the error body: %s", async (_name, bytes, status, code) => {
    expectProblem(await rawRequest(server.url, bytes), status, code);
  });

  it.each(["1.0", "1.1"])("a request without Host over HTTP/%s gets the error body", async (version) => {
    const start = `GET /health/live HTTP/${version}\r\nconnection: close\r\n\r\n`;
    expectProblem(await rawRequest(server.url, start), 400, "MALFORMED_REQUEST");
  });

  it.each([
    "",
    "a b",
    "[",
    "x:99999",
    "a@b",
    "a/b",
    "%",
    "\u00e9",
    "a,b",
    "xn--",
    "1.2.3.4.5",
    "::1.&@\u00ff",
  ])("an odd Host gets the error body: %s", async (host) => {
    const start = `GET /nowhere HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    const answer = await rawRequest(server.url, start);
    if (answer.status === 404) expectProblem(answer, 404, "ROUTE_NOT_FOUND");
    else expectProblem(answer, 400, "MALFORMED_REQUEST");
  });

  it.each([
    [9_000, 414, "URI_TOO_LONG"],
    // The parser has one limit for the target and the headers.
    [20_000, 431, "HEADERS_TOO_LARGE"],
    [40_000, 431, "HEADERS_TOO_LARGE"],
    [500_000, 431, "HEADERS_TOO_LARGE"],
  ])("a target of %i characters gets %i %s", async (length, status, code) => {
    const target = `/openapi/v1/cards/list?memberId=${"m".repeat(length)}`;
    const start = `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${auth}\r\n\r\n`;
    expectProblem(await rawRequest(server.url, start), status, code);
  });
});

describe("invalid bytes after a submission", () => {
  const [path = ""] = paths;
  const start = ["host: a", auth, json, sized(valid), "", ""].join("\r\n");
  const submission = `POST ${path} HTTP/1.1\r\n${start}${valid}`;

  it.each([
    ["at once", [`${submission}garbage\r\n\r\n`]],
    ["later", [submission, "garbage\r\n\r\n", "more of it\r\n\r\n"]],
    ["as a broken request", [`${submission}POST / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n`]],
    ["as a tunnel", [`${submission}CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n`]],
    ["in a body", [`${submission}${head(path, auth, json, "transfer-encoding: chunked")}1\r\n{\r\nnonsense`]],
  ])("do not prevent its response: %s", async (_name, parts) => {
    const reached = Promise.withResolvers<void>();
    const settled = Promise.withResolvers<void>();
    const { ports } = fakePorts({
      async submitKyc() {
        reached.resolve();
        await settled.promise;
        return { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1", revision: 1 };
      },
    });
    const own = await serve(fakeApp({ ports }).app.fetch, { host: "127.0.0.1", port: 0 });
    const answer = await converse(own.url, async (socket) => {
      for (const part of parts) {
        socket.write(part);
        await reached.promise;
        await areRead(socket);
      }
      settled.resolve();
    });
    await own.close(0);
    expect(answer).toMatchObject({ status: 200, reset: false });
    expect(answer.headers).toContain("connection: close");
    expect(answer.body).toContain("KYC_SUBMITTED");
    expect(() => JSON.parse(answer.body)).not.toThrow();
  });
});

it.each([
  ["with a length", "content-length: 1000", '{"memberId":'],
  ["in chunks", "transfer-encoding: chunked", '5\r\n{"mem'],
])("a caller that disconnects within the body causes no internal error: %s", async (_name, framing, part) => {
  const before = lines.length;
  await converse(server.url, async (socket) => {
    socket.write(head(paths[0] ?? "", auth, json, framing) + part);
    await areRead(socket);
    socket.destroy();
  });
  await expect.poll(() => lines.slice(before).join()).toContain('"request"');
  expect(lines.slice(before).map((line) => JSON.parse(line))).toMatchObject([{ level: 30, status: 400 }]);
});

it.each([
  "/openapi/v1/cards/list?memberId=member-1",
  `/trpc/cards.list?input=${encodeURIComponent('{"memberId":"member-1"}')}`,
])("a caller of %s that disconnects before the provider responds causes no internal error", async (path) => {
  const reached = Promise.withResolvers<void>();
  const { ports } = fakePorts({
    listCards: (_request, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        reached.resolve();
      }),
  });
  const left = fakeApp({ ports });
  const own = await serve(left.app.fetch, { host: "127.0.0.1", port: 0 });
  await converse(own.url, async (socket) => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${auth}\r\n\r\n`);
    await reached.promise;
    socket.destroy();
  });
  await expect.poll(() => left.lines.length).toBe(1);
  expect(JSON.parse(left.lines[0] ?? "")).toMatchObject({
    level: 30,
    status: 400,
    code: "MALFORMED_REQUEST",
  });
  await own.close(0);
});

it.each(["/health/live", "/health/ready", "/docs", "/docs/guides/errors", "/openapi/v1/openapi.json", "/"])(
  "%s is read-only, and HEAD responds like GET without a body",
  async (path) => {
    const answerTo = (method: string) =>
      rawRequest(
        server.url,
        `${method} ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
    for (const method of ["POST", "OPTIONS", "PUT", "PATCH", "DELETE"]) {
      const answer = await answerTo(method);
      expectProblem(answer, 405, "METHOD_NOT_ALLOWED");
      expect(answer.headers).toMatch(/^allow: get, head$/m);
    }
    const { status } = await answerTo("GET");
    expect(await answerTo("HEAD")).toMatchObject({ status, body: "" });
  },
);

describe("an unexpected body", () => {
  const big = Buffer.alloc(2 * 1024 * 1024, "x");
  const get = (...headers: string[]) =>
    head("/openapi/v1/cards/list?memberId=member-1", auth, ...headers).replace("POST", "GET");

  it.each([
    ["of a GET", get(sized(big.toString())), 200],
    ["of a GET with too many headers", get(sized(big.toString()), `x: ${"y".repeat(20_000)}`), 431],
    ["of a GET with two hosts", get(sized(big.toString()), "host: b"), 400],
  ])("%s does not prevent the response, in each of five rounds", async (_name, start, status) => {
    for (let round = 0; round < 5; round += 1) {
      expect(await rawRequest(server.url, start, big)).toMatchObject({ status, reset: false });
    }
  });

  it("of a GET that never ends gets 413", async () => {
    const answer = await rawRequest(
      server.url,
      get("content-length: 100000000"),
      Buffer.alloc(17 * 1024 * 1024),
    );
    expectProblem(answer, 413, "PAYLOAD_TOO_LARGE");
  });
});

it("none of these requests reached the provider or changed data", async () => {
  expect(fake.sent).toEqual([]);
  const answer = await rawRequest(server.url, head(paths[0] ?? "", auth, json, sized(valid)), valid);
  expect(answer.status).toBe(200);
  expect(fake.sent).toHaveLength(1);
});
