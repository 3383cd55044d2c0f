import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "../src/http/serve.ts";
import { exampleSubmission } from "../src/operations/submit-kyc.example.ts";
import { fakeApp, fakePorts, fullKey } from "./support/fakes.ts";
import { pacedRequest, rawRequest } from "./support/raw-http.ts";

/** Over real sockets: what reaches a caller when a request is more or less than HTTP. */
let server: Served;
const fake = fakePorts();

beforeAll(async () => {
  const { app } = fakeApp({ ports: fake.ports });
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, "host: a", "connection: close", ...headers, "", ""].join("\r\n");
const paths = ["/openapi/v1/users/kyc", "/trpc/kyc.submit"];
const auth = `authorization: Bearer ${fullKey}`;
const json = "content-type: application/json";

describe.each(paths)("a POST to %s", (path) => {
  it("of 2 MB gets its 413 whole, ten times out of ten", async () => {
    const body = Buffer.alloc(2 * 1024 * 1024, "x");
    for (let round = 0; round < 10; round += 1) {
      const answer = await rawRequest(
        server.url,
        head(path, auth, json, `content-length: ${body.length}`),
        body,
      );
      expect(answer).toMatchObject({ status: 413, reset: false });
      expect(answer.body).toContain("PAYLOAD_TOO_LARGE");
    }
  });

  it("of 2 MB over a slow line gets its 413 whole", async () => {
    const parts = Array.from({ length: 16 }, () => Buffer.alloc(128 * 1024, "x"));
    const start = head(path, auth, json, `content-length: ${2 * 1024 * 1024}`);
    expect(await pacedRequest(server.url, 60, start, ...parts)).toMatchObject({ status: 413, reset: false });
  });

  it("of 2 MB in chunks, without a length, gets its 413 whole", async () => {
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, "x"), Buffer.from("\r\n")]);
    const chunks = [...Array.from({ length: 32 }, () => chunk), "0\r\n\r\n"];
    const answer = await rawRequest(
      server.url,
      head(path, auth, json, "transfer-encoding: chunked"),
      ...chunks,
    );
    expect(answer).toMatchObject({ status: 413, reset: false });
  });

  it.each([
    ["no key", [json], 401],
    ["another content type", [auth, "content-type: text/plain"], 415],
  ])("of 2 MB with %s gets its answer whole", async (_name, headers, status) => {
    const body = Buffer.alloc(2 * 1024 * 1024, "x");
    const answer = await rawRequest(
      server.url,
      head(path, ...headers, `content-length: ${body.length}`),
      body,
    );
    expect(answer).toMatchObject({ status, reset: false });
  });

  it.each([
    ["nothing", "", 400],
    ["a bracket", "{", 400],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xc3, 0x28, 0x22]), 400],
    ["a NUL byte", '{"name":"\u0000"}', 400],
    ["a number beyond numbers", "1e999", 400],
    ["a prototype", '{"__proto__":{"memberId":"x"},"constructor":{}}', 400],
    ["a nest", "[".repeat(60_000), 400],
    ["a well-formed nest", `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, 400],
  ])("of %s gets a 4xx", async (_name, body, status) => {
    const length = Buffer.byteLength(body);
    const answer = await rawRequest(server.url, head(path, auth, json, `content-length: ${length}`), body);
    expect(answer).toMatchObject({ status, reset: false });
  });
});

describe("what is no HTTP", () => {
  it.each([
    ["nonsense", "nonsense\r\n\r\n", 400, "MALFORMED_REQUEST"],
    ["a bad header", "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n", 400, "MALFORMED_REQUEST"],
    [
      "headers beyond their limit",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      400,
      "MALFORMED_REQUEST",
    ],
  ])("gets the error body too: %s", async (_name, bytes, status, code) => {
    const answer = await rawRequest(server.url, bytes);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ status, code, success: false });
    expect(answer.headers).toMatch(/x-request-id: req_/);
  });

  it.each([
    "/%",
    "/openapi/v1/%zz",
    "/openapi/v1/cards/list/%00",
    "/trpc/%E0%A4%A",
    "/trpc/a%2Fb",
    "*",
    "/\\",
    "//",
  ])("an odd target gets a 4xx: %s", async (target) => {
    const answer = await rawRequest(
      server.url,
      `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${auth}\r\n\r\n`,
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

it("nothing of all this reached the provider or was written", async () => {
  expect(fake.sent).toEqual([]);
  const body = JSON.stringify(exampleSubmission.input);
  const answer = await rawRequest(
    server.url,
    head(paths[0] ?? "", auth, json, `content-length: ${Buffer.byteLength(body)}`),
    body,
  );
  expect(answer.status).toBe(200);
  expect(fake.sent).toHaveLength(1);
});
