import { expect, it } from "vitest";
import { listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { always, healthy, kycQuery, kycRequest, page, request } from "../support/responses.ts";

async function expectUnsent(url: string, reason: string) {
  const { provider } = connect(url);
  expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unsent", reason });
  expect(await provider.findKyc(kycQuery)).toEqual({ outcome: "unknown", reason });
  const unavailable = { code: "PROVIDER_UNAVAILABLE", reason, retryAfterSeconds: 5 };
  expect(await failureOf(provider.listCards(request))).toEqual(unavailable);
}

it("reports unsent when the connection is refused", async () => {
  const listener = await listen(() => {});
  await listener.close();
  await expectUnsent(listener.url, "connection-refused");
});

it("reports unsent when the name cannot be resolved", async () => {
  // A label of more than 63 characters is invalid, so the lookup fails without a network.
  await expectUnsent(`http://${"x".repeat(70)}.invalid`, "dns-failed");
});

it("reports unsent when the TLS handshake fails", async () => {
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

it("reports unsent when the TLS handshake does not finish", async () => {
  const listener = await listen(() => {});
  const { provider } = connect(listener.url.replace("http:", "https:"), { deadlines: { connectMs: 100 } });
  expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unsent", reason: "connect-timeout" });
  expect(listener.requests).toHaveLength(0);
});

it("reports unsent after the client is closed", async () => {
  const listener = await listen(always(200, page()));
  const { provider } = connect(listener.url);
  await provider.close();
  expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unsent", reason: "client-closed" });
});

/** Makes one call on a newer connection. After it, both ends of the older connection have detected its close. */
async function callAnotherProvider() {
  const other = await listen((socket, received) => socket.write(healthy(received)));
  await connect(other.url).provider.listCards(request);
}

it("reuses a connection, and opens a new one after the provider closed it", async () => {
  const listener = await listen((socket, received) => socket.write(healthy(received)));
  const { provider } = connect(listener.url);
  await provider.listCards(request);
  await callAnotherProvider();
  await provider.listCards(request);
  expect(listener.sockets).toHaveLength(1);

  listener.sockets[0]?.end();
  await callAnotherProvider();
  expect(await provider.submitKyc(kycRequest)).toMatchObject({ outcome: "answered" });
  expect(listener.sockets).toHaveLength(2);

  listener.sockets[1]?.resetAndDestroy();
  await callAnotherProvider();
  expect(await provider.submitKyc(kycRequest)).toMatchObject({ outcome: "answered" });
  expect(listener.requests).toHaveLength(4);
});

it("opens at most maxConnections connections", async () => {
  const listener = await listen((socket, received) => {
    setTimeout(() => socket.write(healthy(received)), 10);
  });
  const { provider } = connect(listener.url, { maxConnections: 3 });
  await Promise.all(Array.from({ length: 12 }, () => provider.listCards(request)));
  expect(listener.requests).toHaveLength(12);
  expect(listener.sockets).toHaveLength(3);
});
