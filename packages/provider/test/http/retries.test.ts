import { describe, expect, it } from "vitest";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { type Behaviour, listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { always, http, kycQuery, kycReference, page, request, state } from "../support/responses.ts";

const kycRequest = { ...newKycRequest("ada@example.com"), ...kycReference };

describe.each([500, 502, 503, 504])("status %i", (status) => {
  it("is retried for reads but not for submissions", async () => {
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

describe.each(brokenConnections)("%s", (_, behaviour) => {
  it("is retried for reads, but makes the outcome of a submission unknown after one request", async () => {
    const listener = await listen(behaviour);
    const { provider } = connect(listener.url);
    const reason = "connection-lost";
    expect(await failureOf(provider.listCards(request))).toMatchObject({
      code: "PROVIDER_UNAVAILABLE",
      reason,
    });
    expect(listener.requests).toHaveLength(3);
    expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(4);
  });
});
