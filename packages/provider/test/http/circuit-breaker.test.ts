import { createClock } from "@cardbridge/egress/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { healthy, http, kycQuery, kycRequest, request } from "../support/responses.ts";

const breaker = { minCalls: 4, halfOpenAfterMs: 400 };
const retries = { count: 0 };

/** A provider with valid cards and a KYC response that a test can change. */
async function startSwitchable() {
  const responses = { kyc: http(500) };
  const listener = await listen((socket, received) => {
    socket.write(received.target.startsWith("/v1/kyc") ? responses.kyc : healthy(received));
  });
  return { responses, listener };
}

describe("an open circuit breaker", () => {
  // cockatiel reads Date to decide when an open breaker becomes half-open.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const waitForHalfOpen = () => vi.setSystemTime(Date.now() + breaker.halfOpenAfterMs);

  it("sends no request, does not affect other endpoints, and closes after one successful trial", async () => {
    const { responses, listener } = await startSwitchable();
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 4; call += 1) {
      expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason: "status-500" });
    }
    expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unsent", reason: "breaker-open" });
    expect(await provider.findKyc(kycQuery)).toEqual({ outcome: "unknown", reason: "breaker-open" });
    expect(listener.requests).toHaveLength(4);
    expect(await provider.listCards(request)).toMatchObject({ total: 1 });
    expect(provider.state().breakers).toEqual({ cards: "closed", kyc: "open" });

    waitForHalfOpen();
    expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason: "status-500" });
    expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unsent", reason: "breaker-open" });

    responses.kyc = healthy({ method: "PUT", target: "/v1/kyc/", headers: new Map(), body: "" });
    waitForHalfOpen();
    const submissions = [1, 2, 3].map(() => provider.submitKyc(kycRequest));
    expect(provider.state().breakers).toEqual({ cards: "closed", kyc: "half-open" });
    const answers = await Promise.all(submissions);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["answered", "unsent", "unsent"]);
    expect(await provider.submitKyc(kycRequest)).toMatchObject({ outcome: "answered" });
    expect(provider.state().breakers).toEqual({ cards: "closed", kyc: "closed" });
  });

  it("makes a list unavailable with retryAfterSeconds", async () => {
    const listener = await listen((socket) => socket.write(http(503)));
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 4; call += 1) await failureOf(provider.listCards(request));
    const unavailable = { code: "PROVIDER_UNAVAILABLE", reason: "breaker-open", retryAfterSeconds: 5 };
    expect(await failureOf(provider.listCards(request))).toEqual(unavailable);
    expect(listener.requests).toHaveLength(4);
  });

  it("opens after timeouts and broken connections", async () => {
    const listener = await listen((socket, _, count) => {
      if (count % 2 === 0) socket.resetAndDestroy();
    });
    const { startTimer, advance } = createClock();
    const { provider } = connect(listener.url, { breaker, retries, startTimer });
    for (let call = 1; call <= 4; call += 1) {
      const failure = failureOf(provider.listCards(request));
      await expect.poll(() => listener.requests.length).toBe(call);
      advance(call % 2 === 0 ? 0 : 5_000);
      await failure;
    }
    expect(await failureOf(provider.listCards(request))).toMatchObject({ reason: "breaker-open" });
    expect(listener.requests).toHaveLength(4);
  });

  it("stays open after a trial whose caller aborted", async () => {
    let silent = false;
    const listener = await listen((socket) => {
      if (!silent) socket.write(http(503));
    });
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 4; call += 1) await failureOf(provider.listCards(request));
    silent = true;
    waitForHalfOpen();
    const caller = new AbortController();
    const trial = provider.listCards(request, caller.signal);
    await expect.poll(() => listener.requests.length).toBe(5);
    caller.abort(new Error("aborted by the caller"));
    await expect(trial).rejects.toThrow("aborted by the caller");
    expect(await failureOf(provider.listCards(request))).toMatchObject({ reason: "breaker-open" });
  });
});

describe("a circuit breaker stays closed", () => {
  it("for fewer failures than the default minimum", async () => {
    const { listener } = await startSwitchable();
    const { provider } = connect(listener.url);
    for (let call = 1; call <= 19; call += 1) await provider.submitKyc(kycRequest);
    expect(listener.requests).toHaveLength(19);
  });

  it.each([400, 401, 404, 409, 422, 429])("for any number of %i", async (status) => {
    const { responses, listener } = await startSwitchable();
    responses.kyc = http(status);
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 10; call += 1) await provider.submitKyc(kycRequest);
    expect(listener.requests).toHaveLength(10);
  });
});

it("the state contains the connections in use, the idle connections and the waiting calls", async () => {
  const replies: (() => void)[] = [];
  const listener = await listen((socket, received) => {
    replies.push(() => socket.write(healthy(received)));
  });
  const { provider } = connect(listener.url, { maxConnections: 1 });
  const connections = () => provider.state().connections;
  expect(connections()).toEqual({ inUse: 0, idle: 0, waiting: 0 });
  const calls = [provider.listCards(request), provider.listCards(request)];
  for (const waiting of [1, 0]) {
    await expect.poll(() => replies.length).toBe(1);
    expect(connections()).toEqual({ inUse: 1, idle: 0, waiting });
    replies.pop()?.();
  }
  await Promise.all(calls);
  expect(connections()).toEqual({ inUse: 0, idle: 1, waiting: 0 });
});
