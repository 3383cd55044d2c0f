import { describe, expect, it } from "vitest";
import { newOrder } from "../src/conformance/orders.ts";
import { always, http, names, page, request, state } from "./support/answers.ts";
import { type Behaviour, listen } from "./support/listener.ts";
import { connect, failureOf } from "./support/provider.ts";

const order = { ...newOrder("ada@example.com"), ...names };

describe.each([500, 502, 503, 504])("status %i", (status) => {
  it("is tried again when reading, and never when submitting", async () => {
    const listener = await listen(always(status, "<h1>Oops</h1>"));
    const { provider } = connect(listener.url);
    const reason = `status-${status}`;
    const failure = await failureOf(provider.listCards(request));
    expect(failure).toEqual({ code: "PROVIDER_UNAVAILABLE", reason, retryAfterSeconds: 5 });
    expect(listener.requests).toHaveLength(3);
    expect(await provider.findKyc(names)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(6);
    expect(await provider.submitKyc(order)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(7);
  });
});

it("is no matter when another attempt succeeds", async () => {
  const listener = await listen((socket, _, count) => {
    if (count === 1) socket.resetAndDestroy();
    else socket.write(count === 2 ? http(500) : http(200, page()));
  });
  const { provider } = connect(listener.url);
  expect(await provider.listCards(request)).toMatchObject({ total: 1 });
  expect(listener.requests).toHaveLength(3);
});

it.each([401, 403, 429])("status %i is not tried again", async (status) => {
  const listener = await listen(always(status));
  const { provider } = connect(listener.url);
  expect(await failureOf(provider.listCards(request))).toEqual({
    code: "PROVIDER_UNAVAILABLE",
    reason: `status-${status}`,
    retryAfterSeconds: 5,
  });
  expect(listener.requests).toHaveLength(1);
});

const now = Date.parse("2026-01-31T12:00:00.500Z");

it.each([
  ["17", 17],
  ["0", 1],
  ["86400", 60],
  ["9".repeat(400), 60],
  ["Sat, 31 Jan 2026 12:00:09 GMT", 9],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 1],
  ["Sat, 31 Jan 2027 12:00:00 GMT", 60],
  ["soon", 5],
  ["-5", 5],
  ["1.5", 5],
])("a Retry-After of %s asks for %i seconds", async (header, seconds) => {
  const listener = await listen(always(429, "", { "retry-after": header }));
  const { provider } = connect(listener.url, { now: () => now });
  expect(await failureOf(provider.listCards(request))).toMatchObject({ retryAfterSeconds: seconds });
  const unknown = { outcome: "unknown", reason: "status-429", retryAfterSeconds: seconds };
  expect(await provider.submitKyc(order)).toEqual(unknown);
  expect(await provider.findKyc(names)).toEqual(unknown);
  expect(listener.requests).toHaveLength(3);
});

it("a Retry-After of a 503 is kept as well", async () => {
  const { url } = await listen(always(503, "", { "retry-after": "17" }));
  const { provider } = connect(url);
  expect(await failureOf(provider.listCards(request))).toMatchObject({ retryAfterSeconds: 17 });
  expect(await provider.submitKyc(order)).toMatchObject({ outcome: "unknown", retryAfterSeconds: 17 });
});

it("an interim answer is none", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\n\r\n";
  const { url } = await listen((socket) => socket.write(hints + http(200, state)));
  expect(await connect(url).provider.submitKyc(order)).toMatchObject({ outcome: "answered" });
});

const lost: [string, Behaviour][] = [
  ["a close after an interim answer", (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["a reset before the answer", (socket) => socket.resetAndDestroy()],
  ["a close before the answer", (socket) => socket.end()],
  [
    "a reset in mid-answer",
    (socket) => {
      socket.write(http(200, state).slice(0, -9));
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
  ],
];

describe.each(lost)("%s", (_, behaviour) => {
  it("is tried again when reading; a submission stays unknown after one request", async () => {
    const listener = await listen(behaviour);
    const { provider } = connect(listener.url);
    const reason = "connection-lost";
    expect(await failureOf(provider.listCards(request))).toMatchObject({
      code: "PROVIDER_UNAVAILABLE",
      reason,
    });
    expect(listener.requests).toHaveLength(3);
    expect(await provider.submitKyc(order)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(4);
  });
});
