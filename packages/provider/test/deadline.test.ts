import { describe, expect, it } from "vitest";
import { newOrder } from "../src/conformance/orders.ts";
import { healthy, http, names, page, request, state } from "./support/answers.ts";
import { type Behaviour, listen } from "./support/listener.ts";
import { connect, failureOf } from "./support/provider.ts";

const order = { ...newOrder("ada@example.com"), ...names };
const deadlines = { kycMs: 250, readMs: 250 };

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
  ["never answers", () => {}],
  ["sends its head byte by byte", drip(http(200, page()), 5)],
  ["sends its body byte by byte", drip(http(200, page()), http(200, page()).indexOf("{"))],
  ["sends one interim answer after the other", drip("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(99), 60)],
];

describe.each(slow)("a provider that %s", (_, behaviour) => {
  it("costs a read one deadline and one request", async () => {
    const listener = await listen(behaviour);
    const { provider } = connect(listener.url, { deadlines });
    const start = performance.now();
    expect(await failureOf(provider.listCards(request))).toEqual({
      code: "PROVIDER_TIMEOUT",
      reason: "deadline",
      retryAfterSeconds: undefined,
    });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(listener.requests).toHaveLength(1);
  });

  it("leaves a submission unknown", async () => {
    const listener = await listen(behaviour);
    const { provider } = connect(listener.url, { deadlines });
    expect(await provider.submitKyc(order)).toEqual({ outcome: "unknown", reason: "deadline" });
    expect(await provider.findKyc(names)).toEqual({ outcome: "unknown", reason: "deadline" });
    expect(listener.requests).toHaveLength(2);
  });
});

it("drops the connection of a call that it gave up", async () => {
  const listener = await listen(() => {});
  const { provider } = connect(listener.url, { deadlines, maxConnections: 1 });
  await provider.submitKyc(order);
  await expect.poll(() => listener.sockets[0]?.destroyed).toBe(true);
});

it("covers all attempts and the waits between them", async () => {
  const listener = await listen((socket) => socket.write(http(500)));
  const retries = { count: 1_000, firstDelayMs: 40, maxDelayMs: 80 };
  const { provider } = connect(listener.url, { deadlines, retries });
  expect(await failureOf(provider.listCards(request))).toMatchObject({ code: "PROVIDER_TIMEOUT" });
  const { length } = listener.requests;
  expect(length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(listener.requests).toHaveLength(length);
});

it("covers the wait for a connection, and knows that nothing was sent in it", async () => {
  const listener = await listen(() => {});
  const { provider } = connect(listener.url, { maxConnections: 1, deadlines: { kycMs: 150, readMs: 500 } });
  const read = failureOf(provider.listCards(request));
  await expect.poll(() => listener.requests.length).toBe(1);
  expect(await provider.submitKyc(order)).toEqual({ outcome: "unsent", reason: "deadline" });
  expect(await read).toMatchObject({ code: "PROVIDER_TIMEOUT" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(listener.requests.map(({ method }) => method)).toEqual(["GET"]);
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
  expect(await connect(url).provider.submitKyc(order)).toMatchObject({ outcome: "yes" });
});
