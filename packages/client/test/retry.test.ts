import { exampleSubmission } from "@cardbridge/service";
import { describe, expect, it } from "vitest";
import { ConnectionError, ProblemError } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";

const done = json({ kycRecordId: "kyc_1" });
const lost = new TypeError("fetch failed");
const { input } = exampleSubmission;

it.each([408, 429, 502, 503, 504])("sends a call again after %i", async (status) => {
  const { client, requests } = testClient([problem(status, "ANY"), done]);
  expect(await client.kyc.get({ memberId: "erin" })).toEqual({ kycRecordId: "kyc_1" });
  expect(requests).toHaveLength(2);
});

it("sends a call again after a lost connection, even during the response", async () => {
  const cut = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"kycRecordId":'));
          controller.error(lost);
        },
      }),
    );
  const { client, requests, timers } = testClient([lost, cut, done]);
  expect(await client.kyc.get({ memberId: "erin" })).toEqual({ kycRecordId: "kyc_1" });
  expect([requests.length, timers.size]).toEqual([3, 0]);
});

it.each([301, 400, 401, 403, 404, 405, 409, 413, 422, 431, 500, 501, 507])(
  "never sends a call again after %i",
  async (status) => {
    const { client, requests } = testClient([problem(status, "ANY"), done]);
    await expect(client.kyc.submit(input)).rejects.toMatchObject({ retryable: false });
    expect(requests).toHaveLength(1);
  },
);

describe("an Idempotency-Key", () => {
  const keysOf = (requests: { headers: Headers }[]) =>
    requests.map(({ headers }) => headers.get("idempotency-key"));

  it("is the same for all retries of a call, with the same body, and differs between calls", async () => {
    const { client, requests } = testClient([lost, problem(503, "ANY"), done]);
    await client.kyc.submit(input);
    await client.kyc.submit(input);
    const [first, second, third, other] = keysOf(requests);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
    expect(new Set(requests.map(({ init }) => init.body)).size).toBe(1);
  });

  it("can be set by the caller", async () => {
    const { client, requests } = testClient([lost, done]);
    await client.kyc.submit(input, { idempotencyKey: "submission-42" });
    expect(keysOf(requests)).toEqual(["submission-42", "submission-42"]);
  });

  it.each(["", "a b", "é", "a\r\nb", "a".repeat(256)])("is rejected if invalid: %j", async (key) => {
    const { client, requests } = testClient([done]);
    await expect(client.kyc.submit(input, { idempotencyKey: key })).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });
});

describe("the delay before a retry", () => {
  it("is a random part of a maximum that doubles", async () => {
    const { client, waits } = testClient([lost], { maxRetries: 8, timeoutMs: 600_000 });
    await errorOf(client.kyc.get({ memberId: "erin" }));
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it("starts after Retry-After, in seconds or as a date", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const replies = [
      problem(429, "ANY", { "retry-after": "7" }),
      problem(503, "ANY", { "retry-after": date }),
      done,
    ];
    const { client, waits } = testClient(replies, { timeoutMs: 86_400_000 });
    await client.kyc.get({ memberId: "erin" });
    expect(waits[0]).toBe(7_250);
    expect(Math.abs((waits[1] ?? 0) - 3_600_500)).toBeLessThan(60_000);
  });

  it.each(["", "soon", "-1", "Sun, 06 Nov 1994 08:49:37 GMT"])(
    "ignores a Retry-After of %j",
    async (value) => {
      const { client, waits } = testClient([problem(503, "ANY", { "retry-after": value }), done]);
      await client.kyc.get({ memberId: "erin" });
      expect(waits).toEqual([250]);
    },
  );

  it("does not start if it would exceed the deadline", async () => {
    const { client, waits } = testClient([problem(429, "RATE_LIMITED", { "retry-after": "60" })]);
    const error = await errorOf(client.kyc.get({ memberId: "erin" }));
    expect(error).toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs: 60_000 });
    expect(waits).toEqual([]);
  });
});

it("throws the last error after the last retry", async () => {
  const one = testClient([problem(503, "PROVIDER_UNAVAILABLE")], { maxRetries: 2 });
  expect(await errorOf(one.client.kyc.get({ memberId: "erin" }))).toBeInstanceOf(ProblemError);
  expect(one.requests).toHaveLength(3);
  const other = testClient([lost], { maxRetries: 0 });
  const error = await errorOf(other.client.kyc.get({ memberId: "erin" }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ kind: "connection", cause: lost });
});

it("sends a call again if an attempt receives no response in time", async () => {
  const { client, requests, advance } = testClient(["hang", done]);
  const result = client.kyc.get({ memberId: "erin" });
  await expect.poll(() => requests).toHaveLength(1);
  advance(20_000);
  expect(await result).toEqual({ kycRecordId: "kyc_1" });
  expect(requests).toHaveLength(2);
});
