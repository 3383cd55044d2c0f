import { maxRedeliveriesPerHour } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { delivered, failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld();
const { admin, deliverAll, deliveries, endpoint, endpoints, endpointWith, platform } = world;

const longAgo = new Date(0);

/** Creates a platform with an endpoint and three records, each with a failed delivery. */
async function withFailures() {
  const created = await endpointWith(3);
  const { platformId, endpointId, all } = created;
  await deliverAll(failed({ kind: "failed" }));
  return {
    ...created,
    ids: (await all()).map(({ deliveryId }) => deliveryId),
    statuses: async () => (await all()).map(({ status }) => status),
    redeliver: (deliveryId = "") => endpoints.redeliver(platformId, endpointId, deliveryId),
    redeliverFailed: (since = longAgo) => endpoints.redeliverFailed(platformId, endpointId, since),
  };
}

test("a delivery that waits for its next attempt is sent at once, with the full number of attempts", async () => {
  const { platformId, endpointId, all, lease } = await endpointWith(1);
  await deliverAll(failed({ kind: "retry", delayMs: 3_600_000 }));
  expect(await lease()).toEqual([]);
  const [waiting] = await all();
  const sent = await endpoints.redeliver(platformId, endpointId, waiting?.deliveryId ?? "");
  expect(sent).toMatchObject({ status: "pending", attempts: 1 });
  expect(await lease()).toMatchObject([{ deliveryId: waiting?.deliveryId, attempt: 1 }]);
});

test("a redelivered delivery is due immediately under its event's id, with the full number of attempts", async () => {
  const { platformId, endpointId, all, ids, lease, redeliver } = await withFailures();
  const [first] = await all();
  const [deliveryId = ""] = ids;
  const pending = { status: "pending", attempts: 1, dueAt: expect.any(String) };
  expect(await redeliver(ids[0])).toMatchObject({ ...first, ...pending });
  const [due] = await lease();
  expect(due).toMatchObject({ deliveryId, lease: 2, attempt: 1 });
  if (!due) return;
  const loaded = await deliveries.load(due);
  expect(loaded?.webhookId).toBe(first?.webhookId);
  const sent = JSON.stringify(loaded?.payload);
  expect(await redeliver(ids[0])).toMatchObject({ status: "pending" });
  await deliveries.record(due, delivered);
  const shown = await endpoints.delivery(platformId, endpointId, deliveryId);
  expect(shown?.payload).toBe(sent);
  const history = [{ attempt: 1 }, { attempt: 2 }];
  expect(shown).toMatchObject({ status: "delivered", attempts: 2, history });
  expect(await redeliver(ids[0])).toMatchObject({ status: "pending", deliveredAt: null });
});

test("a worker that leased a delivery before its redelivery cannot record its attempt", async () => {
  const { all, ids, lease, leaseOne, redeliver } = await withFailures();
  await redeliver(ids[0]);
  const frozen = await leaseOne();
  await world.expireLeases();
  await redeliver(ids[0]);
  await deliveries.record(frozen, delivered);
  expect((await all())[0]).toMatchObject({ status: "pending", attempts: 1 });
  expect(await lease()).toMatchObject([{ deliveryId: ids[0], attempt: 1 }]);
});

test("all deliveries that failed since a time are due again, in order", async () => {
  const { ids, lease, redeliverFailed, statuses } = await withFailures();
  await admin("update webhook_deliveries set created_at = created_at - interval '1 hour' where id = $1", [
    ids[0],
  ]);
  const since = new Date(Date.now() - 60_000);
  expect(await redeliverFailed(since)).toEqual({ redelivered: 2, more: false });
  expect(await statuses()).toEqual(["failed", "pending", "pending"]);
  const order = [...(await lease({ perEndpoint: 1 })), ...(await lease({ perEndpoint: 2 }))];
  // They are due at the same time: the order is that of the ids.
  expect(order.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(1).toSorted());
  expect(await redeliverFailed()).toEqual({ redelivered: 1, more: false });
  expect(await redeliverFailed()).toEqual({ redelivered: 0, more: false });
});

test("one call makes the oldest thousand deliveries due, and reports that there are more", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  await admin(
    `with event as (insert into webhook_events (id, platform_id, type, data)
       values ('msg_many', $1, 'webhook.test', '{}') returning id)
     insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, status, created_at)
     select 'whd_' || $2::text || n, $1, $2, 'msg_many', 'failed', now() - n * interval '1 second'
     from generate_series(1, 1001) as n, event`,
    [platformId, endpointId],
  );
  const redeliverFailed = () => endpoints.redeliverFailed(platformId, endpointId, longAgo);
  expect(await redeliverFailed()).toEqual({ redelivered: 1_000, more: true });
  const page = await endpoints.deliveries(platformId, { endpointId, status: "failed", limit: 5 });
  expect(page?.map(({ deliveryId }) => deliveryId)).toEqual([`whd_${endpointId}1`]);
  expect(await redeliverFailed()).toEqual({ redelivered: 1, more: false });
  await endpoints.delete(platformId, endpointId);
});

test("no delivery is redelivered while the endpoint is disabled", async () => {
  const { platformId, endpointId, all, ids, redeliver, redeliverFailed } = await withFailures();
  await endpoints.update(platformId, endpointId, { enabled: false });
  expect(await redeliver(ids[0])).toEqual((await all())[0]);
  expect(await redeliverFailed()).toEqual({ redelivered: 0, more: false });
});

test("deliveries are listed newest first, page by page and by status", async () => {
  const { platformId, endpointId, ids, redeliver } = await withFailures();
  await redeliver(ids[1]);
  const page = async (before?: string, status?: "failed" | "pending") => {
    const found = await endpoints.deliveries(platformId, { endpointId, status, before, limit: 2 });
    return found?.map(({ deliveryId }) => deliveryId);
  };
  expect(await page()).toEqual([ids[2], ids[1]]);
  expect(await page(ids[1])).toEqual([ids[0]]);
  expect(await page(ids[0])).toEqual([]);
  expect(await page(undefined, "failed")).toEqual([ids[2], ids[0]]);
  expect(await page(ids[2], "failed")).toEqual([ids[0]]);
  expect(await page(undefined, "pending")).toEqual([ids[1]]);
});

test("the cursor of another endpoint, or of a deleted delivery, is refused", async () => {
  const { platformId, endpointId } = await withFailures();
  const theirs = await withFailures();
  for (const before of [theirs.ids[0], "whd_deleted"]) {
    await expect(endpoints.deliveries(platformId, { endpointId, before, limit: 5 })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [{ path: ["cursor"], rule: "cursor-unknown" }] },
    });
  }
});

test("a delivery is redelivered ten times within an hour, and again after it", async () => {
  const { endpointId, ids, redeliver, redeliverFailed, statuses } = await withFailures();
  for (let count = 0; count < maxRedeliveriesPerHour; count += 1)
    expect(await redeliver(ids[0])).toMatchObject({ status: "pending" });
  const limited = await redeliver(ids[0]).catch(({ code, details }) => [code, details.retryAfterSeconds]);
  expect(limited).toEqual(["WEBHOOK_REDELIVERY_LIMIT", expect.toSatisfy((s) => s > 3_500 && s <= 3_600)]);
  await admin("update webhook_deliveries set status = 'failed', due_at = null where id = $1", [ids[0]]);
  expect(await redeliverFailed()).toEqual({ redelivered: 2, more: false });
  expect(await statuses()).toEqual(["failed", "pending", "pending"]);
  await admin(
    "update webhook_deliveries set redeliveries_since = now() - interval '1 hour' where endpoint_id = $1",
    [endpointId],
  );
  for (let count = 0; count < 2; count += 1)
    expect(await redeliver(ids[0])).toMatchObject({ status: "pending" });
});
