import { createClock } from "@cardbridge/egress/testing";
import { expect, it } from "vitest";
import { type Behaviour, listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { http, kycQuery, kycRequest, page, request, state } from "../support/responses.ts";

const deadlines = { kycMs: 250, readMs: 250 };

const silent: Behaviour = () => {};

/** Sends one byte every 20 ms and never finishes. */
function drip(response: string, from: number): Behaviour {
  return (socket) => {
    socket.write(response.slice(0, from));
    let sent = from;
    const timer = setInterval(() => socket.write(response.charAt(sent++) || " "), 20);
    socket.on("close", () => clearInterval(timer));
  };
}

const slow: [string, Behaviour][] = [
  ["never responds", silent],
  ["sends the head byte by byte", drip(http(200, page()), 5)],
  ["sends the body byte by byte", drip(http(200, page()), http(200, page()).indexOf("{"))],
  ["sends one interim response after another", drip("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(99), 60)],
];

/** Starts a listener with a behaviour, and a provider whose deadlines use a test clock. */
async function start(behaviour: Behaviour, options: Parameters<typeof connect>[1] = {}) {
  const listener = await listen(behaviour);
  const clock = createClock();
  const { provider } = connect(listener.url, { deadlines, startTimer: clock.startTimer, ...options });
  const written = () => listener.sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);

  /** Advances past a call's deadline, after the request has arrived and a slow response has started. */
  async function passDeadline(ms: number): Promise<void> {
    const before = listener.requests.length;
    await expect.poll(() => listener.requests.length).toBe(before + 1);
    clock.advance(ms - 1);
    const sent = written();
    if (behaviour !== silent) await expect.poll(written).toBeGreaterThan(sent + 2);
    clock.advance(1);
  }
  return { listener, provider, clock, passDeadline };
}

it.each(slow)(
  "a provider that %s gets one request, and the call ends at its deadline",
  async (_, behaviour) => {
    const { listener, provider, passDeadline } = await start(behaviour);
    const read = failureOf(provider.listCards(request));
    await passDeadline(deadlines.readMs);
    expect(await read).toMatchObject({ code: "PROVIDER_TIMEOUT", reason: "deadline" });
    const submitted = provider.submitKyc(kycRequest);
    await passDeadline(deadlines.kycMs);
    expect(await submitted).toEqual({ outcome: "unknown", reason: "deadline" });
    const reply = provider.findKyc(kycQuery);
    await passDeadline(deadlines.kycMs);
    expect(await reply).toEqual({ outcome: "unknown", reason: "deadline" });
    expect(listener.requests).toHaveLength(3);
  },
);

it("does not end a call before its deadline, and then closes its connection", async () => {
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
  await expect.poll(() => listener.sockets[0]?.destroyed).toBe(true);
});

it("covers all attempts and the delays between them", async () => {
  const retries = { count: 1_000, minDelayMs: 40, maxDelayMs: 80 };
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
  // After the response to a later request, all requests sent before the deadline have arrived.
  await readOther(0);
  const before = attempts();
  // The retries of another call take as long as the next retry of this call would.
  await readOther(5);
  expect(attempts()).toBe(before);
});

it("covers the wait for a connection and reports unsent", async () => {
  const { listener, provider, clock } = await start(silent, {
    maxConnections: 1,
    deadlines: { kycMs: 150, readMs: 500 },
  });
  const read = failureOf(provider.listCards(request));
  await expect.poll(() => listener.requests.length).toBe(1);
  const submitted = provider.submitKyc(kycRequest);
  clock.advance(150);
  expect(await submitted).toEqual({ outcome: "unsent", reason: "deadline" });
  clock.advance(350);
  expect(await read).toMatchObject({ code: "PROVIDER_TIMEOUT" });
  // The connection is free now. A request that still waits for it would be sent before this read.
  const next = failureOf(provider.listCards(request));
  await expect.poll(() => listener.requests.length).toBeGreaterThan(1);
  expect(listener.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  clock.advance(500);
  await next;
});

it("rejects the read of a caller that aborts with its own reason, and closes the connection", async () => {
  const listener = await listen(() => {});
  const { provider } = connect(listener.url);
  const caller = new AbortController();
  const reason = new Error("aborted by the caller");
  const call = provider.listCards(request, caller.signal);
  await expect.poll(() => listener.requests.length).toBe(1);
  caller.abort(reason);
  await expect(call).rejects.toBe(reason);
  await expect.poll(() => listener.sockets[0]?.destroyed).toBe(true);
  expect(listener.requests).toHaveLength(1);
});

it("accepts a slow response within the deadline", async () => {
  const { url } = await listen((socket) => {
    const response = http(200, state);
    socket.write(response.slice(0, 40));
    setTimeout(() => socket.write(response.slice(40)), 100);
  });
  expect(await connect(url).provider.submitKyc(kycRequest)).toMatchObject({ outcome: "answered" });
});
