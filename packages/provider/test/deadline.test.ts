import { describe, expect, it } from "vitest";
import { newOrder } from "../src/conformance/orders.ts";
import { healthy, http, names, page, request, state } from "./support/answers.ts";
import { createClock } from "./support/clock.ts";
import { type Behaviour, listen } from "./support/listener.ts";
import { connect, failureOf } from "./support/provider.ts";

const order = { ...newOrder("ada@example.com"), ...names };
const deadlines = { kycMs: 250, readMs: 250 };

const silent: Behaviour = () => {};

/** One byte every 20 ms: never idle for long, and never done. */
function drip(answer: string, from: number): Behaviour {
  return (socket) => {
    socket.write(answer.slice(0, from));
    let sent = from;
    const timer = setInterval(() => socket.write(answer.charAt(sent++) || " "), 20);
    socket.on("close", () => clearInterval(timer));
  };
}

const slow: [string, Behaviour][] = [
  ["never answers", silent],
  ["sends its head byte by byte", drip(http(200, page()), 5)],
  ["sends its body byte by byte", drip(http(200, page()), http(200, page()).indexOf("{"))],
  ["sends one interim answer after the other", drip("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(99), 60)],
];

/** A listener that behaves so, and a provider whose deadlines pass when the test says so. */
async function start(behaviour: Behaviour, options: Parameters<typeof connect>[1] = {}) {
  const listener = await listen(behaviour);
  const clock = createClock();
  const { provider } = connect(listener.url, { deadlines, schedule: clock.schedule, ...options });
  const written = () => listener.sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);

  /** Lets a call's deadline pass once the provider has its request, and a slow one is at its answer. */
  async function pass(ms: number): Promise<void> {
    const before = listener.requests.length;
    await expect.poll(() => listener.requests.length).toBe(before + 1);
    clock.advance(ms - 1);
    const sent = written();
    if (behaviour !== silent) await expect.poll(written).toBeGreaterThan(sent + 2);
    clock.advance(1);
  }
  return { listener, provider, clock, pass };
}

describe.each(slow)("a provider that %s", (_, behaviour) => {
  it("costs a read one deadline and one request", async () => {
    const { listener, provider, pass } = await start(behaviour);
    const read = failureOf(provider.listCards(request));
    await pass(deadlines.readMs);
    expect(await read).toEqual({
      code: "PROVIDER_TIMEOUT",
      reason: "deadline",
      retryAfterSeconds: undefined,
    });
    expect(listener.requests).toHaveLength(1);
  });

  it("leaves a submission unknown", async () => {
    const { listener, provider, pass } = await start(behaviour);
    const submitted = provider.submitKyc(order);
    await pass(deadlines.kycMs);
    expect(await submitted).toEqual({ outcome: "unknown", reason: "deadline" });
    const found = provider.findKyc(names);
    await pass(deadlines.kycMs);
    expect(await found).toEqual({ outcome: "unknown", reason: "deadline" });
    expect(listener.requests).toHaveLength(2);
  });
});

it("does not pass early", async () => {
  const { listener, provider, clock } = await start(silent);
  let ended = false;
  const read = failureOf(provider.listCards(request)).finally(() => {
    ended = true;
  });
  await expect.poll(() => listener.requests.length).toBe(1);
  clock.advance(deadlines.readMs - 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  clock.advance(1);
  await read;
});

it("drops the connection of a call that it gave up", async () => {
  const { listener, provider, pass } = await start(silent, { maxConnections: 1 });
  const call = provider.submitKyc(order);
  await pass(deadlines.kycMs);
  await call;
  await expect.poll(() => listener.sockets[0]?.destroyed).toBe(true);
});

it("covers all attempts and the waits between them", async () => {
  const retries = { count: 1_000, firstDelayMs: 40, maxDelayMs: 80 };
  const failing: Behaviour = (socket) => socket.write(http(500));
  const { listener, provider, clock } = await start(failing, { retries });
  const attempts = () => listener.requests.filter(({ target }) => target.includes("usr_1")).length;
  const readOther = (count: number) =>
    failureOf(
      connect(listener.url, { retries: { ...retries, count } }).provider.listCards({
        ...request,
        userReference: "usr_2",
      }),
    );

  const read = failureOf(provider.listCards(request));
  await expect.poll(attempts).toBeGreaterThan(2);
  clock.advance(deadlines.readMs);
  expect(await read).toMatchObject({ code: "PROVIDER_TIMEOUT" });
  // What left before the deadline has arrived once a later request is answered.
  await readOther(0);
  const made = attempts();
  // Another call waits as long between its attempts as this one would have.
  await readOther(5);
  expect(attempts()).toBe(made);
});

it("covers the wait for a connection, and knows that nothing was sent in it", async () => {
  const { listener, provider, clock } = await start(silent, {
    maxConnections: 1,
    deadlines: { kycMs: 150, readMs: 500 },
  });
  const read = failureOf(provider.listCards(request));
  await expect.poll(() => listener.requests.length).toBe(1);
  const submitted = provider.submitKyc(order);
  clock.advance(150);
  expect(await submitted).toEqual({ outcome: "unsent", reason: "deadline" });
  clock.advance(350);
  expect(await read).toMatchObject({ code: "PROVIDER_TIMEOUT" });
  // The one connection is free now: whatever still waited for it would come before this read.
  const next = failureOf(provider.listCards(request));
  await expect.poll(() => listener.requests.length).toBeGreaterThan(1);
  expect(listener.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  clock.advance(500);
  await next;
});

describe("a caller who goes away", () => {
  it("ends the read with the caller's own reason, and the connection with it", async () => {
    const listener = await listen(() => {});
    const { provider } = connect(listener.url);
    const caller = new AbortController();
    const reason = new Error("gone");
    const call = provider.listCards(request, caller.signal);
    await expect.poll(() => listener.requests.length).toBe(1);
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect.poll(() => listener.sockets[0]?.destroyed).toBe(true);
    expect(listener.requests).toHaveLength(1);
  });

  it("was there long enough when the answer came first", async () => {
    const { url } = await listen((socket, received) => socket.write(healthy(received)));
    const caller = new AbortController();
    const { total } = await connect(url).provider.listCards(request, caller.signal);
    caller.abort();
    expect(total).toBe(1);
  });
});

it("does not mistake a slow answer within the deadline", async () => {
  const { url } = await listen((socket) => {
    const answer = http(200, state);
    socket.write(answer.slice(0, 40));
    setTimeout(() => socket.write(answer.slice(40)), 100);
  });
  expect(await connect(url).provider.submitKyc(order)).toMatchObject({ outcome: "answered" });
});
