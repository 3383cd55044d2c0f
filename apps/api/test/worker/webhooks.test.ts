import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "pg";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { basePath } from "../../src/paths.ts";
import { restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The worker delivers the events of a service, with real components. */
type World = Awaited<ReturnType<typeof startTestService>>;
let service: World;
let admin: Client;
beforeAll(async () => {
  service = await startTestService({ env: { RUN: "all" } });
  admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});

interface Received {
  headers: Record<string, string>;
  body: string;
  response: ServerResponse;
}

async function receiver(respond: (received: Received) => void) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const one = { headers: request.headers as Record<string, string>, body, response };
    received.push(one);
    respond(one);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

async function endpoint(url: string, { caller }: World = service) {
  const { fetch, key } = caller();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (path: string, body: object) =>
    (await fetch(basePath + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const created = (await post("/webhooks", { url, eventTypes: ["kyc.updated"] })) as {
    endpointId: string;
    secret: string;
  };
  const path = `/webhooks/${created.endpointId}`;
  return {
    ...created,
    test: () => post(`${path}/test`, {}),
    deliveries: async () => (await fetch(`${basePath}${path}/deliveries`, { headers })).json(),
  };
}

it("each change of a record arrives in order, with a signature that the secret verifies", async () => {
  const { url, received } = await receiver(({ response }) => response.end());
  const { secret } = await endpoint(url);
  const { body } = await restSubmit(service.caller(), newSubmission("approved"));
  const { kycRecordId } = body as { kycRecordId: string };
  const events = () =>
    received
      .map(({ headers, body }) => new Webhook(secret).verify(body, headers) as { data: object })
      .filter(({ data }) => "kycRecordId" in data && data.kycRecordId === kycRecordId);
  await expect
    .poll(() => events().map(({ data }) => data))
    .toEqual([
      expect.objectContaining({ sequence: 1, status: "PENDING" }),
      expect.objectContaining({ sequence: 2, status: "APPROVED" }),
    ]);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(received.length);
  const metrics = async () => (await service.metrics(new Request("http://localhost/metrics"))).text();
  // The attempt is recorded after the response.
  await expect.poll(metrics).toMatch(/^cardbridge_webhook_deliveries_pending 0$/m);
  expect(await metrics()).toMatch(
    /^cardbridge_webhook_attempts_total\{outcome="delivered",reason="status-2xx"\} [1-9]/m,
  );
});

it("a failed attempt is repeated with the same id and a new signature", async () => {
  const { url, received } = await receiver(({ response }) => {
    response.writeHead(received.length === 1 ? 503 : 204).end();
  });
  const { secret, test } = await endpoint(url);
  await test();
  // In the next second, because a signature is of a whole second.
  const nextSecond = "date_trunc('second', clock_timestamp()) + interval '1 second'";
  await expect
    .poll(async () => {
      await admin.query(
        `update webhook_deliveries set due_at = ${nextSecond} where lease_until is null and due_at > ${nextSecond}`,
      );
      return received.length;
    })
    .toBe(2);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers["webhook-signature"])).size).toBe(2);
  for (const { headers, body } of received) new Webhook(secret).verify(body, headers);
});

it("disabling or deleting an endpoint aborts its running attempts, also in other processes", async () => {
  const { url, received } = await receiver(() => {});
  const api = await startTestService({ databaseUrl: service.serviceUrl });
  onTestFinished(() => api.stop());
  const ends = () => received.map(({ response }) => response.destroyed);
  const { fetch, key } = api.caller();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const { endpointId, test, deliveries } = await endpoint(url);
  const path = `${basePath}/webhooks/${endpointId}`;
  await test();
  await expect.poll(ends).toEqual([false]);
  await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ enabled: false }) });
  await expect.poll(ends).toEqual([true]);
  await expect.poll(deliveries).toMatchObject({ items: [{ status: "failed", attempts: 0 }] });
  await fetch(path, { method: "PATCH", headers, body: JSON.stringify({ enabled: true }) });
  await test();
  await expect.poll(ends).toEqual([true, false]);
  await fetch(path, { method: "DELETE", headers });
  await expect.poll(ends).toEqual([true, true]);
  const metrics = await (await service.metrics(new Request("http://localhost/metrics"))).text();
  expect(metrics).toMatch(/^cardbridge_webhook_attempts_total\{outcome="retry",reason="deadline"\} 0$/m);
});

it("an attempt that a stopping worker aborts is repeated by the next worker, without waiting for the lease", async () => {
  const { url, received } = await receiver(({ response }) => {
    if (received.length > 1) response.end();
  });
  const idle = await startTestService();
  onTestFinished(() => idle.stop());
  const startWorker = () =>
    startTestService({ databaseUrl: idle.serviceUrl, env: { RUN: "worker", SHUTDOWN_GRACE_MS: "0" } });
  const stopping = await startWorker();
  const { test, deliveries } = await endpoint(url, idle);
  await test();
  await expect.poll(() => received.length).toBe(1);
  await stopping.stop();
  expect(await deliveries()).toMatchObject({ items: [{ status: "pending", attempts: 0 }] });
  const next = await startWorker();
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
  await expect.poll(deliveries).toMatchObject({ items: [{ status: "delivered", attempts: 1 }] });
  await next.stop();
});
