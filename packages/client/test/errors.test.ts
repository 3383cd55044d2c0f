import { describe, expect, it } from "vitest";
import {
  AbortedError,
  CardbridgeError,
  createClient,
  ProblemError,
  ResponseError,
  TimeoutError,
} from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";

const read = ({ client }: ReturnType<typeof testClient>, options = {}) =>
  errorOf(client.kyc.get({ memberId: "erin" }, options));
const withId = (requestId: string) => ({ "x-request-id": requestId });

it("throws a problem with its code, its body and the ids of all requests", async () => {
  const replies = [
    problem(503, "SERVICE_UNAVAILABLE", withId("req_1")),
    problem(404, "NEW_CODE", withId("req_2")),
  ];
  const error = await read(testClient(replies));
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toBeInstanceOf(CardbridgeError);
  expect(error).toMatchObject({
    name: "ProblemError",
    kind: "problem",
    code: "NEW_CODE",
    problem: { status: 404, errors: [] },
    retryable: false,
    requestIds: ["req_1", "req_2"],
  });
});

it.each([
  ["an HTML page", new Response("<html>", { status: 404, headers: { "content-type": "text/html" } })],
  ["other JSON", json({ error: "no" }, { status: 404 })],
  ["an empty body", new Response(null, { status: 404 })],
  ["an HTML page with 200", new Response("<html>", { status: 200 })],
])("throws a ResponseError for %s, and sends the call once", async (_, reply) => {
  const one = testClient([reply, json({})]);
  const error = await read(one);
  expect(error).toBeInstanceOf(ResponseError);
  expect((error as Error).message).toMatch(/^The response is not from cardbridge \((404|200), /);
  expect(one.requests).toHaveLength(1);
});

it("ends the download of a response that is too long", async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          // The reader would otherwise never return.
          if (sent === 100) return controller.close();
          sent += 1;
          controller.enqueue(new Uint8Array(1024 * 1024));
        },
        cancel() {
          isCancelled = true;
        },
      }),
    );
  expect(await read(testClient([endless]))).toMatchObject({ kind: "response", retryable: false });
  expect([sent < 20, isCancelled]).toEqual([true, true]);
});

it("does not follow a redirect", async () => {
  const reply = () => new Response(null, { status: 307, headers: { location: "https://other.example" } });
  const one = testClient([reply]);
  expect(await read(one)).toMatchObject({ kind: "response", status: 307 });
  expect(one.requests[0]?.init.redirect).toBe("manual");
});

it.each([
  { of: "the client", settings: { timeoutMs: 1_000 }, options: {} },
  { of: "one call", settings: {}, options: { timeoutMs: 1_000 } },
])("the deadline of $of ends a call, with the ids of earlier requests", async ({ settings, options }) => {
  const one = testClient([problem(503, "ANY", withId("req_1")), "hang"], settings);
  const error = read(one, options);
  await expect.poll(() => one.requests).toHaveLength(2);
  one.advance(750);
  expect(await error).toBeInstanceOf(TimeoutError);
  expect(await error).toMatchObject({ kind: "timeout", retryable: true, requestIds: ["req_1"] });
  expect(one.requests[1]?.init.signal?.aborted).toBe(true);
});

describe("an abort signal", () => {
  it("ends an active call with its reason as the cause", async () => {
    const one = testClient(["hang"]);
    const controller = new AbortController();
    const error = read(one, { signal: controller.signal });
    await expect.poll(() => one.requests).toHaveLength(1);
    const reason = new Error("the user left");
    controller.abort(reason);
    expect(await error).toBeInstanceOf(AbortedError);
    expect(await error).toMatchObject({ kind: "aborted", cause: reason });
  });

  it("prevents the request if it is already aborted", async () => {
    const one = testClient(["hang"]);
    expect(await read(one, { signal: AbortSignal.abort() })).toMatchObject({ kind: "aborted" });
    expect(one.requests).toEqual([]);
  });

  it("ends the delay before a retry", async () => {
    const controller = new AbortController();
    const one = testClient([
      () => {
        queueMicrotask(() => controller.abort());
        return problem(503, "ANY");
      },
    ]);
    expect(await read(one, { signal: controller.signal })).toMatchObject({ kind: "aborted" });
    expect(one.requests).toHaveLength(1);
  });
});

it("has no API key in any error", async () => {
  const settings = { baseUrl: "https://cards.example.com", apiKey: "cb_test_secret\n" };
  expect(() => createClient(settings)).toThrow("The apiKey is not an API key.");
  for (const reply of [new TypeError("x"), problem(401, "UNAUTHENTICATED"), new Response("?")]) {
    const error = await read(testClient([reply], { apiKey: "cb_test_secret" }));
    expect(`${JSON.stringify(error)} ${error}`).not.toContain("secret");
  }
});

it("rejects an invalid baseUrl, and preserves the path of a valid one", async () => {
  const hosts = ["cards.example.com", "", "ftp://cards.example.com", "https://"];
  for (const baseUrl of [...hosts, "https://a?b", "https://a:b@c", "https://a#b"])
    expect(() => createClient({ baseUrl, apiKey: "k" }), baseUrl).toThrow(TypeError);
  const one = testClient([json({})], { baseUrl: "https://example.com/cards/" });
  await one.client.kyc.get({ memberId: "erin" });
  expect(one.requests[0]?.url).toBe("https://example.com/cards/openapi/v1/users/kyc?memberId=erin");
});
