import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { trpcClient } from "../support/trpc.ts";

/** The worker delivers the events of a service, with real components. */
type World = Awaited<ReturnType<typeof startTestService>>;
let service: World;
beforeAll(async () => {
  service = await startTestService({ env: { RUN: "all" } });
});
afterAll(() => service.stop());

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

/** Creates an endpoint, and returns it with the calls about it. */
async function endpoint(url: string, { url: serviceUrl, caller }: World = service) {
  const { webhooks } = trpcClient({ url: serviceUrl, apiKey: caller().key });
  const created = await webhooks.create.mutate({ url, eventTypes: ["kyc.updated"] });
  const { endpointId } = created;
  return {
    ...created,
    test: () => webhooks.test.mutate({ endpointId }),
    deliveries: () => webhooks.deliveries.query({ endpointId }),
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

it("disabling or deleting an endpoint aborts its running attempts, also in other processes", async () => {
  const { url, received } = await receiver(() => {});
  const api = await startTestService({ databaseUrl: service.serviceUrl });
  onTestFinished(() => api.stop());
  const ends = () => received.map(({ response }) => response.destroyed);
  const { webhooks } = trpcClient({ url: api.url, apiKey: api.caller().key });
  const { endpointId, test, deliveries } = await endpoint(url);
  await test();
  await expect.poll(ends).toEqual([false]);
  await webhooks.update.mutate({ endpointId, enabled: false });
  await expect.poll(ends).toEqual([true]);
  await expect.poll(deliveries).toMatchObject({ items: [{ status: "failed", attempts: 0 }] });
  await webhooks.update.mutate({ endpointId, enabled: true });
  await test();
  await expect.poll(ends).toEqual([true, false]);
  await webhooks.delete.mutate({ endpointId });
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
