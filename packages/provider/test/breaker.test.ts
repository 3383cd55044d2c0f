import { CircuitState } from "cockatiel";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCallWindow } from "../src/call-window.ts";
import { newOrder } from "../src/conformance/orders.ts";
import { healthy, http, names, request } from "./support/answers.ts";
import { createClock } from "./support/clock.ts";
import { listen } from "./support/listener.ts";
import { connect, failureOf } from "./support/provider.ts";

const order = { ...newOrder("ada@example.com"), ...names };
const breaker = { minimumCalls: 4, halfOpenAfterMs: 400 };
const retries = { count: 0 };

/** A provider whose KYC answers can be switched; its cards are always well. */
async function switchable() {
  const health = { kyc: http(500) };
  const listener = await listen((socket, received) => {
    socket.write(received.target.startsWith("/v1/kyc") ? health.kyc : healthy(received));
  });
  return { health, listener };
}

describe("an open breaker", () => {
  // cockatiel asks Date how long a breaker has been open.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());
  const passHalfOpen = () => vi.setSystemTime(Date.now() + breaker.halfOpenAfterMs);

  it("answers without a request, spares the other lane, and closes after one good trial", async () => {
    const { health, listener } = await switchable();
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 4; call += 1) {
      expect(await provider.submitKyc(order)).toEqual({ outcome: "unknown", reason: "status-500" });
    }
    expect(await provider.submitKyc(order)).toEqual({ outcome: "unsent", reason: "breaker-open" });
    expect(await provider.findKyc(names)).toEqual({ outcome: "unknown", reason: "breaker-open" });
    expect(listener.requests).toHaveLength(4);
    expect(await provider.listCards(request)).toMatchObject({ total: 1 });

    passHalfOpen();
    expect(await provider.submitKyc(order)).toEqual({ outcome: "unknown", reason: "status-500" });
    expect(await provider.submitKyc(order)).toEqual({ outcome: "unsent", reason: "breaker-open" });

    health.kyc = healthy({ method: "PUT", target: "/v1/kyc/", headers: new Map(), body: "" });
    passHalfOpen();
    const three = await Promise.all([1, 2, 3].map(() => provider.submitKyc(order)));
    expect(three.map(({ outcome }) => outcome)).toEqual(["answered", "unsent", "unsent"]);
    expect(await provider.submitKyc(order)).toMatchObject({ outcome: "answered" });
  });

  it("makes a list unavailable, with a time to come again", async () => {
    const listener = await listen((socket) => socket.write(http(503)));
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 4; call += 1) await failureOf(provider.listCards(request));
    expect(await failureOf(provider.listCards(request))).toEqual({
      code: "PROVIDER_UNAVAILABLE",
      reason: "breaker-open",
      retryAfterSeconds: 5,
    });
    expect(listener.requests).toHaveLength(4);
  });

  it("opens for calls that nobody answered in time, and for connections that broke", async () => {
    const listener = await listen((socket, _, count) => {
      if (count % 2 === 0) socket.resetAndDestroy();
    });
    const { schedule, advance } = createClock();
    const { provider } = connect(listener.url, { breaker, retries, schedule });
    for (let call = 1; call <= 4; call += 1) {
      const failure = failureOf(provider.listCards(request));
      await expect.poll(() => listener.requests.length).toBe(call);
      advance(call % 2 === 0 ? 0 : 5_000);
      await failure;
    }
    expect(await failureOf(provider.listCards(request))).toMatchObject({ reason: "breaker-open" });
    expect(listener.requests).toHaveLength(4);
  });

  it("is not closed by a trial whose caller went away", async () => {
    let silent = false;
    const listener = await listen((socket) => {
      if (!silent) socket.write(http(503));
    });
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 4; call += 1) await failureOf(provider.listCards(request));
    silent = true;
    passHalfOpen();
    const caller = new AbortController();
    const trial = provider.listCards(request, caller.signal);
    await expect.poll(() => listener.requests.length).toBe(5);
    caller.abort(new Error("gone"));
    await expect(trial).rejects.toThrow("gone");
    expect(await failureOf(provider.listCards(request))).toMatchObject({ reason: "breaker-open" });
  });
});

describe("a breaker stays closed", () => {
  it("by default, for a handful of failures", async () => {
    const { listener } = await switchable();
    const { provider } = connect(listener.url);
    for (let call = 1; call <= 19; call += 1) {
      expect(await provider.submitKyc(order)).toMatchObject({ outcome: "unknown", reason: "status-500" });
    }
    expect(listener.requests).toHaveLength(19);
  });

  it.each([400, 401, 404, 409, 422, 429])("for any number of %i", async (status) => {
    const { health, listener } = await switchable();
    health.kyc = http(status);
    const { provider } = connect(listener.url, { breaker, retries });
    for (let call = 1; call <= 10; call += 1) await provider.submitKyc(order);
    expect(listener.requests).toHaveLength(10);
  });
});

describe("the window of calls", () => {
  const closed = CircuitState.Closed;

  function open(minimumCalls: number) {
    const clock = { now: 0 };
    return {
      clock,
      window: createCallWindow({ windowMs: 1_000, minimumCalls, failureShare: 0.5, now: () => clock.now }),
    };
  }

  it("opens when half of enough calls failed", () => {
    const { window } = open(4);
    window.success(closed);
    window.success(closed);
    expect([window.failure(closed), window.failure(closed)]).toEqual([false, true]);
  });

  it("forgets what is older than it is long, however few calls there are", () => {
    const { window, clock } = open(4);
    for (let call = 0; call < 50; call += 1) {
      clock.now += 400;
      expect(window.failure(closed)).toBe(false);
    }
  });

  it("starts anew after a good trial", () => {
    const { window } = open(2);
    window.failure(closed);
    window.success(CircuitState.HalfOpen);
    window.success(closed);
    expect(window.failure(closed)).toBe(false);
  });
});
