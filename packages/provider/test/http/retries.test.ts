import { expect, it } from "vitest";
import { connectAirwallex } from "../support/airwallex.ts";
import { type Behaviour, listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { always, http, kycQuery, kycRequest, page, request, state } from "../support/responses.ts";

it.each([500, 502, 503, 504])("status %i is retried for reads but not for submissions", async (status) => {
  const listener = await listen(always(status, "<h1>Oops</h1>"));
  const { provider } = connect(listener.url);
  const reason = `status-${status}`;
  const failure = await failureOf(provider.listCards(request));
  expect(failure).toEqual({ code: "PROVIDER_UNAVAILABLE", reason, retryAfterSeconds: 5 });
  expect(listener.requests).toHaveLength(3);
  expect(await provider.findKyc(kycQuery)).toEqual({ outcome: "unknown", reason });
  expect(listener.requests).toHaveLength(6);
  expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason });
  expect(listener.requests).toHaveLength(7);
});

it("returns the page when a retry succeeds", async () => {
  const listener = await listen((socket, _, count) => {
    if (count === 1) socket.resetAndDestroy();
    else socket.write(count === 2 ? http(500) : http(200, page()));
  });
  const { provider } = connect(listener.url);
  expect(await provider.listCards(request)).toMatchObject({ total: 1 });
  expect(listener.requests).toHaveLength(3);
});

it.each([401, 403, 429])("status %i is not retried", async (status) => {
  const listener = await listen(always(status));
  const { provider } = connect(listener.url);
  expect(await failureOf(provider.listCards(request))).toEqual({
    code: "PROVIDER_UNAVAILABLE",
    reason: `status-${status}`,
    retryAfterSeconds: 5,
  });
  expect(listener.requests).toHaveLength(1);
});

it("ignores an interim response", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\n\r\n";
  const { url } = await listen((socket) => socket.write(hints + http(200, state)));
  expect(await connect(url).provider.submitKyc(kycRequest)).toMatchObject({ outcome: "answered" });
});

const brokenConnections: [string, Behaviour][] = [
  ["a close after an interim response", (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["a reset before the response", (socket) => socket.resetAndDestroy()],
  ["a close before the response", (socket) => socket.end()],
  [
    "a reset during the response",
    (socket) => {
      socket.write(http(200, state).slice(0, -9));
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
  ],
];

it.each(brokenConnections)(
  "%s is retried for reads, but makes the outcome of a submission unknown after one request",
  async (_, behaviour) => {
    const listener = await listen(behaviour);
    const { provider } = connect(listener.url);
    const reason = "connection-lost";
    const unavailable = { code: "PROVIDER_UNAVAILABLE", reason };
    expect(await failureOf(provider.listCards(request))).toMatchObject(unavailable);
    expect(listener.requests).toHaveLength(3);
    expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(4);
  },
);

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
])("a Retry-After of %s is read as %i seconds", async (header, seconds) => {
  const listener = await listen(always(429, "", { "retry-after": header }));
  const { provider } = connect(listener.url, { now: () => now });
  expect(await failureOf(provider.listCards(request))).toMatchObject({ retryAfterSeconds: seconds });
  const unknown = { outcome: "unknown", reason: "status-429", retryAfterSeconds: seconds };
  expect(await provider.submitKyc(kycRequest)).toEqual(unknown);
  expect(await provider.findKyc(kycQuery)).toEqual(unknown);
  expect(listener.requests).toHaveLength(3);
});

const adapters: [string, typeof connect | typeof connectToAirwallex][] = [
  ["cardbridge", connect],
  ["airwallex", connectToAirwallex],
];
function connectToAirwallex(url: string, options: Parameters<typeof connectAirwallex>[1]) {
  return connectAirwallex({ url, filesUrl: url }, options);
}

it.each(adapters)(
  "each request of the adapter for %s, contains the current trace, if any",
  async (_, connectTo) => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const listener = await listen(always(500));
    let current: string | undefined;
    const { provider } = connectTo(listener.url, { traceparent: () => current });
    await failureOf(provider.findCard("card-1"));
    const untraced = listener.requests.length;
    current = traceparent;
    await failureOf(provider.findCard("card-1"));
    const sent = listener.requests.map(({ headers }) => headers.get("traceparent"));
    expect(new Set(sent.slice(0, untraced))).toEqual(new Set([undefined]));
    expect(new Set(sent.slice(untraced))).toEqual(new Set([traceparent]));
  },
);
