import { expect, test } from "vitest";
import { countDeliveries, disableBacklogged, pruneWebhooks } from "../../src/webhooks/upkeep.ts";
import { failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld();
const { admin, deliverAll, deliveries, lease, endpoint, endpoints, endpointWith, platform, record } = world;

const count = async (table: string, platformId: string) =>
  (await admin(`select from ${table} where platform_id = $1`, [platformId])).length;

/** Returns the number of calls of `prune` until nothing is left. */
async function pruneAll(limit: number): Promise<number> {
  let calls = 0;
  while ((await pruneWebhooks(world, 30, limit)) > 0) calls += 1;
  return calls;
}

test("events older than 30 days are pruned in batches, with their deliveries and attempts", async () => {
  const { platformId } = await endpointWith(5);
  await deliverAll();
  await admin(
    `update webhook_events set created_at = now() - interval '30 days 1 minute' where id in (
      select id from webhook_events where platform_id = $1 order by id limit 3)`,
    [platformId],
  );
  await admin(
    `update webhook_events set created_at = now() - interval '29 days 23 hours' where created_at > now() - interval '1 day'`,
  );
  expect(await pruneAll(2)).toBe(2);
  for (const table of ["webhook_events", "webhook_deliveries", "webhook_attempts"]) {
    expect([table, await count(table, platformId)]).toEqual([table, 2]);
  }
  expect(await count("kyc_history", platformId)).toBe(5);
});

test("the deliveries of a deleted endpoint are deleted in batches, then its row; other endpoints remain", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  const other = await endpoint(platformId);
  for (let number = 0; number < 3; number += 1) await record(platformId);
  await endpoints.delete(platformId, endpointId);
  expect(await count("webhook_deliveries", platformId)).toBe(6);
  expect(await pruneAll(2)).toBe(2);
  const rows = await admin("select distinct endpoint_id from webhook_deliveries where platform_id = $1", [
    platformId,
  ]);
  expect(rows).toEqual([{ endpoint_id: other }]);
  expect(await admin("select id from webhook_endpoints where platform_id = $1", [platformId])).toEqual([
    { id: other },
  ]);
});

test("deliveries that a crash left pending at a disabled endpoint fail, except leased deliveries", async () => {
  const { platformId, endpointId, lease, leaseOne } = await endpointWith(3);
  const leased = await leaseOne();
  await admin("update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone' where id = $1", [
    endpointId,
  ]);
  expect(await lease()).toEqual([]);
  expect(await pruneAll(10)).toBe(1);
  const pending = await endpoints.deliveries(platformId, { endpointId, status: "pending", limit: 10 });
  expect(pending?.map(({ deliveryId }) => deliveryId)).toEqual([leased.deliveryId]);
});

test("an endpoint is disabled at the bound of pending deliveries, which fail, and the platform's other one hears why", async () => {
  const observed: [string, object | undefined][] = [];
  const observer = { observe: (name: string, labels?: object) => void observed.push([name, labels]) };
  const disable = (maxPending: number) => disableBacklogged({ ...world, observer }, maxPending);
  const { platformId, endpointId, all } = await endpointWith(3);
  const other = await endpoint(platformId, ["webhook.endpoint_disabled"]);
  const calm = await endpointWith(2);
  await disable(4);
  expect((await endpoints.find(platformId, endpointId))?.enabled).toBe(true);
  expect(observed).not.toContainEqual(["webhook_endpoint_disabled", { reason: "backlog", platformId }]);
  await disable(3);
  expect(observed).toContainEqual(["webhook_endpoint_disabled", { reason: "backlog", platformId }]);
  const disabled = await endpoints.find(platformId, endpointId);
  expect(disabled).toMatchObject({ enabled: false, disabledReason: "backlog" });
  expect((await calm.show()).enabled).toBe(true);
  await pruneAll(10);
  expect((await all()).map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
  // What changes meanwhile is listed too, and all of it can be sent again.
  await record(platformId);
  expect(await endpoints.update(platformId, endpointId, { enabled: true })).toMatchObject({
    disabledReason: null,
  });
  expect(await endpoints.redeliverFailed(platformId, endpointId, new Date(0))).toMatchObject({
    redelivered: 4,
  });
  const [heard] = (await lease()).filter((due) => due.endpointId === other);
  expect(heard && (await deliveries.load(heard))?.payload).toMatchObject({
    type: "webhook.endpoint_disabled",
    data: { endpointId, reason: "backlog", disabledAt: disabled?.disabledAt },
  });
});

test("an endpoint that responds with 410 is disabled, and the platform's other one hears why; not if it is disabled on request", async () => {
  const { platformId, endpointId, leaseOne } = await endpointWith(1);
  const other = await endpoint(platformId, ["webhook.endpoint_disabled"]);
  await deliveries.record(await leaseOne(), failed({ kind: "gone" }));
  await endpoints.update(platformId, endpointId, { enabled: true });
  await endpoints.update(platformId, endpointId, { enabled: false });
  const heard = (await lease()).filter((due) => due.endpointId === other);
  const payloads = await Promise.all(heard.map(async (due) => (await deliveries.load(due))?.payload));
  expect(payloads).toMatchObject([{ data: { endpointId, reason: "gone" } }]);
});

test("count returns the pending deliveries, the age of the oldest due delivery, and the disabled endpoints", async () => {
  await admin("delete from webhook_events");
  await admin("delete from webhook_endpoints");
  expect(await countDeliveries(world)).toEqual({ pending: 0, oldestSeconds: 0, disabledEndpoints: 0 });
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  const off = await endpoint(platformId, ["card.updated"]);
  const deleted = await endpoint(platformId, ["card.updated"]);
  await endpoints.update(platformId, off, { enabled: false });
  await endpoints.update(platformId, deleted, { enabled: false });
  await endpoints.delete(platformId, deleted);
  await record(platformId);
  await record(platformId);
  const start = performance.now();
  await admin("update webhook_deliveries set due_at = now() - interval '90 seconds' where endpoint_id = $1", [
    endpointId,
  ]);
  const counted = await countDeliveries(world);
  expect(counted).toMatchObject({ pending: 2, disabledEndpoints: 1 });
  expect(counted.oldestSeconds).toBeGreaterThanOrEqual(90);
  expect(counted.oldestSeconds).toBeLessThan(91 + (performance.now() - start) / 1_000);
  await deliverAll(failed());
  expect(await countDeliveries(world)).toEqual({ pending: 2, oldestSeconds: 0, disabledEndpoints: 1 });
});
