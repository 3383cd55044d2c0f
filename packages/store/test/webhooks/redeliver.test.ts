import { setTimeout } from "node:timers/promises";
import { maxRedeliveriesPerHour } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { delivered, failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld();
const { platform, endpoint, record, deliveries, endpoints, admin, deliverAll } = world;

const longAgo = new Date(0);

/** Creates a platform with an endpoint and three records, each with a failed delivery. */
async function withFailures() {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  const kycRecordIds: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    kycRecordIds.push(await record(platformId));
    // Ids of the same millisecond are in no order.
    await setTimeout(2);
  }
  await deliverAll(failed({ kind: "failed" }));
  const all = async () =>
    (await Promise.all(kycRecordIds.map((id) => endpoints.ofRecord(platformId, id)))).flat();
  const lease = async () =>
    (await world.lease({ perEndpoint: 1 })).filter((due) => due.endpointId === endpointId);
  return { platformId, endpointId, all, lease };
}

test("a redelivered delivery is due immediately under its event's id, with the full number of attempts", async () => {
  const { platformId, endpointId, all, lease } = await withFailures();
  const [first] = await all();
  const deliveryId = first?.deliveryId ?? "";
  const redelivered = await endpoints.redeliver(platformId, endpointId, deliveryId);
  expect(redelivered).toMatchObject({ ...first, status: "pending", attempts: 1, dueAt: expect.any(String) });
  const [due] = await lease();
  expect(due).toMatchObject({ deliveryId, lease: 2, attempt: 1 });
  if (!due) return;
  expect((await deliveries.load(due))?.webhookId).toBe(first?.webhookId);
  expect(await endpoints.redeliver(platformId, endpointId, deliveryId)).toMatchObject({ status: "pending" });
  await deliveries.record(due, delivered);
  const shown = await endpoints.delivery(platformId, endpointId, deliveryId);
  expect(shown).toMatchObject({
    status: "delivered",
    attempts: 2,
    history: [{ attempt: 1 }, { attempt: 2 }],
  });
  expect(await endpoints.redeliver(platformId, endpointId, deliveryId)).toMatchObject({
    status: "pending",
    deliveredAt: null,
  });
});

test("a worker that leased a delivery before its redelivery cannot record its attempt", async () => {
  const { platformId, endpointId, all, lease } = await withFailures();
  const [first] = await all();
  const deliveryId = first?.deliveryId ?? "";
  await endpoints.redeliver(platformId, endpointId, deliveryId);
  const [frozen] = await lease();
  if (!frozen) throw new Error("nothing is due");
  await world.expireLeases();
  await endpoints.redeliver(platformId, endpointId, deliveryId);
  await deliveries.record(frozen, delivered);
  expect((await all())[0]).toMatchObject({ status: "pending", attempts: 1 });
  expect(await lease()).toMatchObject([{ deliveryId, attempt: 1 }]);
});

test("all deliveries that failed since a time are due again, in order", async () => {
  const { platformId, endpointId, all, lease } = await withFailures();
  const ids = (await all()).map(({ deliveryId }) => deliveryId);
  await admin("update webhook_deliveries set created_at = created_at - interval '1 hour' where id = $1", [
    ids[0],
  ]);
  const since = new Date(Date.now() - 60_000);
  expect(await endpoints.redeliverFailed(platformId, endpointId, since)).toEqual({
    redelivered: 2,
    more: false,
  });
  expect((await all()).map(({ status }) => status)).toEqual(["failed", "pending", "pending"]);
  const order = [...(await lease()), ...(await lease())];
  expect(order.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(1));
  expect(await endpoints.redeliverFailed(platformId, endpointId, longAgo)).toEqual({
    redelivered: 1,
    more: false,
  });
  expect(await endpoints.redeliverFailed(platformId, endpointId, longAgo)).toEqual({
    redelivered: 0,
    more: false,
  });
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
  expect(await endpoints.redeliverFailed(platformId, endpointId, longAgo)).toEqual({
    redelivered: 1_000,
    more: true,
  });
  const page = await endpoints.deliveries(platformId, { endpointId, status: "failed", limit: 5 });
  expect(page?.map(({ deliveryId }) => deliveryId)).toEqual([`whd_${endpointId}1`]);
  expect(await endpoints.redeliverFailed(platformId, endpointId, longAgo)).toEqual({
    redelivered: 1,
    more: false,
  });
  await endpoints.delete(platformId, endpointId);
});

test("no delivery is redelivered while the endpoint is disabled", async () => {
  const { platformId, endpointId, all } = await withFailures();
  await endpoints.update(platformId, endpointId, { enabled: false });
  const [first] = await all();
  expect(await endpoints.redeliver(platformId, endpointId, first?.deliveryId ?? "")).toEqual(first);
  expect(await endpoints.redeliverFailed(platformId, endpointId, longAgo)).toEqual({
    redelivered: 0,
    more: false,
  });
});

test("deliveries are listed newest first, page by page and by status", async () => {
  const { platformId, endpointId, all } = await withFailures();
  const ids = (await all()).map(({ deliveryId }) => deliveryId);
  await endpoints.redeliver(platformId, endpointId, ids[1] ?? "");
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
  const { all } = await withFailures();
  const [theirs] = await all();
  for (const before of [theirs?.deliveryId, "whd_deleted"]) {
    await expect(endpoints.deliveries(platformId, { endpointId, before, limit: 5 })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [{ path: ["cursor"], rule: "cursor-unknown" }] },
    });
  }
});

test("a delivery is redelivered ten times within an hour, and again after it", async () => {
  const { platformId, endpointId, all } = await withFailures();
  const [first, second] = await all();
  const deliveryId = first?.deliveryId ?? "";
  const redeliver = () => endpoints.redeliver(platformId, endpointId, deliveryId);
  for (let count = 0; count < maxRedeliveriesPerHour; count += 1) {
    expect(await redeliver()).toMatchObject({ status: "pending" });
  }
  const limited = await redeliver().catch(({ code, details }) => [code, details.retryAfterSeconds]);
  expect(limited).toEqual(["WEBHOOK_REDELIVERY_LIMIT", expect.toSatisfy((s) => s > 3_500 && s <= 3_600)]);
  expect(await endpoints.redeliver(platformId, endpointId, second?.deliveryId ?? "")).toMatchObject({
    status: "pending",
  });
  await admin(
    "update webhook_deliveries set redeliveries_since = now() - interval '1 hour' where endpoint_id = $1",
    [endpointId],
  );
  expect(await redeliver()).toMatchObject({ status: "pending" });
  expect(await redeliver()).toMatchObject({ status: "pending" });
});

test("the redelivery of all failed deliveries skips those that reached the limit", async () => {
  const { platformId, endpointId, all } = await withFailures();
  await admin("update webhook_deliveries set redeliveries = $2, redeliveries_since = now() where id = $1", [
    (await all())[0]?.deliveryId,
    maxRedeliveriesPerHour,
  ]);
  expect(await endpoints.redeliverFailed(platformId, endpointId, longAgo)).toEqual({
    redelivered: 2,
    more: false,
  });
  expect((await all()).map(({ status }) => status)).toEqual(["failed", "pending", "pending"]);
});
