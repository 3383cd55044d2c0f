import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "../../../src/server/serve.ts";
import { fakeApp, fullKey, uploadPath } from "../../support/fakes.ts";
import { pacedRequest, rawRequest } from "../../support/raw-http.ts";
import { part, uploadForm, wholeForm } from "../../support/upload-form.ts";

/** Rejections of requests and uploads over a slow connection: the response comes while the caller still sends. */
let server: Served;
const { app } = fakeApp();
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

const auth = `authorization: Bearer ${fullKey}`;

describe.each(["/openapi/v1/users/kyc", "/trpc/kyc.submit"])("a slow POST of 2 MB to %s", (path) => {
  const parts = Array.from({ length: 16 }, () => Buffer.alloc(128 * 1024, "x"));
  const post = (...headers: string[]) => {
    const length = `content-length: ${2 * 1024 * 1024}`;
    const json = "content-type: application/json";
    const lines = [`POST ${path} HTTP/1.1`, "host: a", "connection: close", auth, json, ...headers, length];
    return pacedRequest(server.url, 60, [...lines, "", ""].join("\r\n"), ...parts);
  };

  it("gets a complete 413", async () => {
    const answer = await post();
    expect(answer).toMatchObject({ status: 413, reset: false });
    expect(JSON.stringify(JSON.parse(answer.body))).toContain("PAYLOAD_TOO_LARGE");
  });

  it("with an invalid Expect header gets a complete 400", async () => {
    const answer = await post("expect: foo");
    expect(answer).toMatchObject({ status: 400, reset: false });
    const body = JSON.parse(answer.body);
    expect(body.error?.data.problem ?? body).toMatchObject({ code: "MALFORMED_REQUEST", success: false });
  });
});

it("a long target that arrives in parts gets 414", async () => {
  const start = [
    "GET /openapi/v1/cards/list?memberId=",
    ...Array.from({ length: 3 }, () => "m".repeat(4_000)),
  ];
  const end = " HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
  const answer = await pacedRequest(server.url, 20, ...start, end);
  expect(answer).toMatchObject({ status: 414, reset: false });
  expect(JSON.parse(answer.body)).toMatchObject({ code: "URI_TOO_LONG", success: false });
});

it("an upload that is too slow gets 408, which a page of another origin can read, and releases its slot", async ({
  onTestFinished,
}) => {
  const { app, gates } = fakeApp({ uploadMs: 1_000 });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
  onTestFinished(() => server.close(0));
  const slow = Array.from({ length: 6 }, () => uploadForm(server.url, part("purpose", "selfie"), 90_000));
  for (const { status, body } of await Promise.all(slow)) {
    expect([status, JSON.parse(body).code]).toEqual([408, "REQUEST_TIMEOUT"]);
  }
  // The whole form arrives with its head, long before the time limit.
  expect(await uploadForm(server.url, wholeForm)).toMatchObject({ status: 201 });
  const head = [`PUT ${uploadPath()} HTTP/1.1`, "host: a", "content-length: 90000", "", "slow"];
  const { status, headers } = await rawRequest(server.url, head.join("\r\n"));
  expect(status).toBe(408);
  expect(headers).toContain("access-control-allow-origin: *");
});
