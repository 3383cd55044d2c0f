import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  kycUpdated,
  newSecret,
  requestUpdated,
  signedBody,
  signedWebhook,
} from "../support/signed-webhook.ts";

/* Tests each example on a real server. The examples import the built package. */
const example = (name: string) => import(new URL(`../../examples/${name}.mjs`, import.meta.url).href);
const { createInbox } = await example("webhook-inbox");
type Listener = (secrets: string[], inbox: object) => Promise<RequestListener>;
const listeners: Record<string, Listener> = {
  hono: async (...args) => getRequestListener((await example("webhooks-hono")).createApp(...args).fetch),
  express: async (...args) => (await example("webhooks-express")).createApp(...args),
  fastify: async (...args) => {
    const app = (await example("webhooks-fastify")).createApp(...args);
    await app.ready();
    return app.routing;
  },
};

describe.each(Object.keys(listeners))("the example for %s", (name) => {
  const secret = newSecret();
  let inbox: {
    records: Map<string, object>;
    requests: Map<string, object>;
    add: (event: object) => Promise<void>;
  };
  let added: object[];
  let failures: Error[];
  let server: Server;

  beforeEach(async () => {
    inbox = createInbox();
    added = [];
    failures = [];
    const add = async (event: object) => {
      const failure = failures.pop();
      if (failure) throw failure;
      added.push(event);
      await inbox.add(event);
    };
    server = createServer(await listeners[name]?.([newSecret(), secret], { add }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function post(body: string, headers: Record<string, string>) {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
    const response = await fetch(url, { method: "POST", body, headers });
    return { status: response.status, text: await response.text() };
  }
  const deliver = (event: object, webhookId?: string) => {
    const { body, headers } = signedWebhook(event, { secrets: [secret], ...(webhookId && { webhookId }) });
    return post(body, headers);
  };

  it("stores each event once and the newest state of each record and request", async () => {
    const answers = [
      await deliver(kycUpdated(1, "PENDING"), "msg_1"),
      await deliver(kycUpdated(6, "APPROVED"), "msg_6"),
      await deliver(requestUpdated(7, "closed"), "msg_7"),
      await deliver(requestUpdated(5, "answered"), "msg_5"),
      await deliver(requestUpdated(4, "open", "dreq_2"), "msg_8"),
      await deliver(kycUpdated(2, "PENDING_APPROVAL"), "msg_2"),
      await deliver(kycUpdated(1, "PENDING", "kyc_2"), "msg_4"),
      await deliver(kycUpdated(9, "REJECTED"), "msg_1"),
      await deliver({ type: "new.type", timestamp: "2026-11-22T12:00:00.000Z", data: {} }, "msg_9"),
    ];
    expect(answers).toEqual(answers.map(() => ({ status: 204, text: "" })));
    expect([...inbox.records.values()]).toMatchObject([
      { sequence: 6, status: "APPROVED" },
      { sequence: 1, status: "PENDING" },
    ]);
    expect([...inbox.requests.values()]).toMatchObject([
      { documentRequestId: "dreq_1", sequence: 7, status: "closed" },
      { documentRequestId: "dreq_2", sequence: 4, status: "open" },
    ]);
  });

  it("verifies the raw bytes of any form of JSON", async () => {
    const body = `{ "type" : "kyc.updated",\n"data": {"kycRecordId":"kyc_\\u00e9 é", "sequence": 1.0} }\n`;
    const sent = signedBody(body, { secrets: [secret] });
    expect(await post(body, sent.headers)).toMatchObject({ status: 204 });
    expect([...inbox.records.keys()]).toEqual(["kyc_é é"]);
  });

  it("rejects an unsigned body, another secret and a large body", async () => {
    const { body, headers } = signedWebhook(kycUpdated(1, "APPROVED"), { secrets: [newSecret()] });
    expect(await post(body, headers)).toEqual({ status: 400, text: "wrong-signature" });
    expect(await post(body, { ...headers, "content-type": "text/plain" })).toMatchObject({ status: 400 });
    expect(await post(body, { "content-type": "application/json" })).toEqual({
      status: 400,
      text: "missing-header",
    });
    const large = signedBody(JSON.stringify({ type: "x".repeat(65_536) }), { secrets: [secret] });
    expect(await post(large.body, large.headers)).toMatchObject({ status: 413 });
    expect(added).toEqual([]);
  });

  it("returns 500 without details if the event is not stored, and accepts the event again", async () => {
    const failure = new Error("the database is unavailable");
    failures.push(failure);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const refused = await deliver(kycUpdated(1, "APPROVED"));
    expect(refused.status).toBe(500);
    expect(refused.text).not.toContain("database");
    expect(log.mock.calls).toEqual([[failure]]);
    log.mockRestore();
    expect(await deliver(kycUpdated(1, "APPROVED"))).toMatchObject({ status: 204 });
    expect(added).toHaveLength(1);
  });
});
