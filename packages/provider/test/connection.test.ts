import { expect, it } from "vitest";
import { newOrder } from "../src/conformance/orders.ts";
import { always, healthy, names, page, request } from "./support/answers.ts";
import { listen } from "./support/listener.ts";
import { connect, failureOf } from "./support/provider.ts";

const order = { ...newOrder("ada@example.com"), ...names };

async function expectUnsent(url: string, reason: string) {
  const { provider } = connect(url);
  expect(await provider.submitKyc(order)).toEqual({ outcome: "unsent", reason });
  expect(await provider.findKyc(names)).toEqual({ outcome: "unknown", reason });
  expect(await failureOf(provider.listCards(request))).toEqual({
    code: "PROVIDER_UNAVAILABLE",
    reason,
    retryAfterSeconds: 5,
  });
}

it("knows that nothing was sent when the connection is refused", async () => {
  const listener = await listen(() => {});
  await listener.close();
  await expectUnsent(listener.url, "connection-refused");
});

it("knows that nothing was sent when the name cannot be resolved", async () => {
  // No resolver takes a label of more than 63 characters, so that no network is needed to fail.
  await expectUnsent(`http://${"x".repeat(70)}.invalid`, "dns-failed");
});

it("knows that nothing was sent when the TLS handshake fails", async () => {
  const listener = await listen(() => {});
  const plain = setInterval(() => {
    for (const socket of listener.sockets)
      if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  }, 5);
  try {
    await expectUnsent(listener.url.replace("http:", "https:"), "tls-failed");
  } finally {
    clearInterval(plain);
  }
});

it("knows that nothing was sent when the TLS handshake does not end", async () => {
  const listener = await listen(() => {});
  const { provider } = connect(listener.url.replace("http:", "https:"), { deadlines: { connectMs: 100 } });
  expect(await provider.submitKyc(order)).toEqual({ outcome: "unsent", reason: "connect-timeout" });
  expect(listener.requests).toHaveLength(0);
});

it("knows that nothing was sent once it is closed", async () => {
  const listener = await listen(always(200, page()));
  const { provider } = connect(listener.url);
  await provider.close();
  expect(await provider.submitKyc(order)).toEqual({ outcome: "unsent", reason: "client-closed" });
});

/** Both ends of a connection know what became of it once another one, which is younger, has served. */
async function serveElsewhere() {
  const other = await listen((socket, received) => socket.write(healthy(received)));
  await connect(other.url).provider.listCards(request);
}

it("uses a connection again, and takes a new one when the provider closed it in between", async () => {
  const listener = await listen((socket, received) => socket.write(healthy(received)));
  const { provider } = connect(listener.url);
  await provider.listCards(request);
  await serveElsewhere();
  await provider.listCards(request);
  expect(listener.sockets).toHaveLength(1);

  listener.sockets[0]?.end();
  await serveElsewhere();
  expect(await provider.submitKyc(order)).toMatchObject({ outcome: "answered" });
  expect(listener.sockets).toHaveLength(2);

  listener.sockets[1]?.resetAndDestroy();
  await serveElsewhere();
  expect(await provider.submitKyc(order)).toMatchObject({ outcome: "answered" });
  expect(listener.requests).toHaveLength(4);
});

it("opens no more connections than it may", async () => {
  const listener = await listen((socket, received) => {
    setTimeout(() => socket.write(healthy(received)), 10);
  });
  const { provider } = connect(listener.url, { maxConnections: 3 });
  await Promise.all(Array.from({ length: 12 }, () => provider.listCards(request)));
  expect(listener.requests).toHaveLength(12);
  expect(listener.sockets).toHaveLength(3);
});
