import { randomBytes } from "node:crypto";
import type { LoadedDelivery } from "@cardbridge/domain";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { createWebhookSender } from "../../src/webhooks/sender.ts";
import { connect, connectLocally } from "../support/client.ts";
import { receive } from "../support/receiver.ts";

const secretOf = () => `whsec_${randomBytes(24).toString("base64")}`;
const secrets = [secretOf(), secretOf()];

const delivery = (port: number, changes: Partial<LoadedDelivery> = {}): LoadedDelivery => ({
  webhookId: "msg_1",
  url: `http://127.0.0.1:${port}/hooks?tenant=é`,
  secrets,
  payload: {
    type: "webhook.test",
    environment: "test",
    timestamp: "2026-01-31T12:00:00.000Z",
    data: { endpointId: "whe_é" },
  },
  ...changes,
});

const send = (one: LoadedDelivery, signal?: AbortSignal) =>
  createWebhookSender({ client: connectLocally(), version: "1.2.3" }).send(one, signal);

describe("a webhook", () => {
  it("is JSON whose signatures two independent libraries verify, one for each secret", async () => {
    const { port, received } = await receive((response) => response.end());
    await send(delivery(port));
    const [one] = received;
    expect(one).toMatchObject({
      method: "POST",
      path: "/hooks?tenant=%C3%A9",
      headers: {
        "content-type": "application/json",
        "user-agent": "cardbridge-webhooks/1.2.3",
        "webhook-id": "msg_1",
      },
    });
    const { body = "", headers = {} } = one ?? {};
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(delivery(port).payload);
      expect(() => new SvixWebhook(secret).verify(body, headers)).not.toThrow();
    }
    expect(() => new Webhook(secretOf()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] ?? "").verify(`${body} `, headers)).toThrow();
  });

  it("is signed again at each attempt, with the same id", async () => {
    const { port, received } = await receive((response) => response.end());
    let now = 1_700_000_000_000;
    const later = createWebhookSender({ client: connectLocally(), version: "1", now: () => now });
    await later.send(delivery(port));
    now += 1_000;
    await later.send(delivery(port));
    expect(received.map(({ headers }) => [headers["webhook-id"], headers["webhook-timestamp"]])).toEqual([
      ["msg_1", "1700000000"],
      ["msg_1", "1700000001"],
    ]);
    expect(new Set(received.map(({ headers }) => headers["webhook-signature"])).size).toBe(2);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });
});

describe("the outcome", () => {
  it("is the status with the first bytes of the response as text", async () => {
    const { port } = await receive((response) =>
      response.writeHead(503, { "retry-after": "120" }).end(`busy\0\u001b[31m\n${"x".repeat(70_000)}`),
    );
    const { outcome, milliseconds } = await send(delivery(port));
    expect(outcome).toMatchObject({ kind: "answered", status: 503, retryAfterSeconds: 120 });
    const { excerpt } = outcome as { excerpt: string };
    expect(excerpt).toMatch(/^busy\u{fffd}\u{fffd}\[31m\nx+$/u);
    expect(Buffer.from("busy\0\u001b[31m\n").length + excerpt.replace(/^[^\n]*\n/, "").length).toBe(1_024);
    expect(Number.isInteger(milliseconds)).toBe(true);
  });

  it("is undelivered when the response is truncated", async () => {
    const { port } = await receive((response) => {
      response.writeHead(200, { "content-length": "10" }).write("x");
      response.socket?.end();
    });
    const undelivered = { kind: "undelivered", reason: "connection-lost" };
    expect((await send(delivery(port))).outcome).toEqual(undelivered);
  });

  it.each([
    ["a private address", "https://127.0.0.1/"],
    ["a public address without TLS", "http://8.8.8.8/"],
    ["an unknown name", "https://hooks.example.com/"],
  ])("is undelivered for the same reason with %s", async (_name, url) => {
    const client = connect({
      resolve: () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
    });
    const guarded = createWebhookSender({ client, version: "1" });
    expect((await guarded.send(delivery(0, { url }))).outcome).toEqual({
      kind: "undelivered",
      reason: "address-unusable",
    });
  });

  it("is undelivered when the process stops", async () => {
    const { port } = await receive(() => {});
    const { outcome } = await send(delivery(port), AbortSignal.abort());
    expect(outcome).toEqual({ kind: "undelivered", reason: "stopped" });
  });
});
