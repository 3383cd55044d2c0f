import { setTimeout as wait } from "node:timers/promises";
import type { DueDelivery } from "@cardbridge/domain";
import { afterEach, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { delivered, failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld({ maxConnections: 8 });
const { platform, endpoint, record, lease, deliveries, endpoints, deliverAll, makePrompt, expireLeases } =
  world;

afterEach(async () => {
  await world.admin("delete from webhook_events");
  await world.admin("delete from webhook_endpoints");
});

/** Creates a platform with an endpoint and events of the given number of records. */
async function endpointWith(records: number) {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  for (let number = 0; number < records; number += 1) await record(platformId);
  return { platformId, endpointId };
}

const statusOf = async (due: DueDelivery) =>
  (await endpoints.delivery(due.platformId, due.endpointId, due.deliveryId))?.status;

test("one delivery of an endpoint is leased at a time, and four after a prompt success", async () => {
  const { endpointId } = await endpointWith(7);
  const first = await lease();
  expect(first).toMatchObject([{ endpointId, lane: "slow", lease: 1, attempt: 1 }]);
  expect(await lease()).toEqual([]);
  for (const due of first) await deliveries.record(due, delivered);
  const second = await lease();
  expect(second.map(({ lane }) => lane)).toEqual(Array(4).fill("prompt"));
  expect(await lease()).toEqual([]);
  for (const due of second.slice(0, 1)) await deliveries.record(due, failed());
  // Three are still leased: a slow endpoint gets no delivery until they end.
  expect(await lease()).toEqual([]);
});

test("an endpoint is prompt while its attempts succeed within a second", async () => {
  await endpointWith(3);
  const lanes: string[] = [];
  for (const milliseconds of [1_001, 1_000, 1_001]) {
    const [due] = await lease();
    if (!due) throw new Error("Nothing is due.");
    lanes.push(due.lane);
    await deliveries.record(due, { ...delivered, milliseconds });
  }
  expect(lanes).toEqual(["slow", "slow", "prompt"]);
  expect(await world.admin("select prompt from webhook_endpoints")).toEqual([{ prompt: false }]);
});

test("concurrent workers share the slots of the lanes, and no delivery is leased twice", async () => {
  for (let number = 0; number < 4; number += 1) {
    const { endpointId } = await endpointWith(6);
    if (number < 2) await makePrompt(endpointId);
  }
  const leased = (await Promise.all(Array.from({ length: 8 }, () => lease(3, 1)))).flat();
  expect(new Set(leased.map(({ deliveryId }) => deliveryId)).size).toBe(leased.length);
  const counts = [...Map.groupBy(leased, ({ endpointId }) => endpointId).values()].map((of) => of.length);
  expect(counts.sort()).toEqual([1, 1, 4, 4]);
});

test("a call waits for a concurrent call, and sees its leases", async () => {
  const { endpointId } = await endpointWith(1);
  const waiting = () =>
    world.admin(
      `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
  const second = await withConnection(world.urls.serviceUrl, async (client) => {
    await client.query("begin");
    const { rows } = await client.query("select * from lease_webhook_deliveries(9, 9, interval '1 minute')");
    expect(rows).toHaveLength(1);
    let answered = false;
    const leased = lease().finally(() => {
      answered = true;
    });
    while (!answered && (await waiting()).length === 0) await wait(5);
    await client.query("rollback");
    return leased;
  });
  expect(second).toMatchObject([{ endpointId }]);
});

test("endpoints are served round robin, however old the backlog of one endpoint is", async () => {
  const { endpointId: backlog } = await endpointWith(9);
  const { endpointId: late } = await endpointWith(1);
  const order: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const leased = await lease(0, 1);
    order.push(...leased.map(({ endpointId }) => endpointId));
    for (const due of leased) await deliveries.record(due, failed());
  }
  expect(order).toEqual([backlog, late, backlog]);
});

test("the limit of one lane does not lease deliveries of the other lane", async () => {
  const { endpointId: prompt } = await endpointWith(2);
  const { endpointId: slow } = await endpointWith(2);
  await makePrompt(prompt);
  expect((await lease(9, 0)).map(({ endpointId }) => endpointId)).toEqual([prompt, prompt]);
  expect((await lease(9, 9)).map(({ endpointId }) => endpointId)).toEqual([slow]);
});

test("the changes of a record are delivered in order, also by several workers", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  await makePrompt(endpointId);
  const kycRecordIds = [await record(platformId, 3), await record(platformId, 3)];
  const all = await deliverAll();
  const rows = (await Promise.all(kycRecordIds.map((id) => endpoints.ofRecord(platformId, id)))).flat();
  const byId = new Map(rows.map((row) => [row.deliveryId, row]));
  for (const kycRecordId of kycRecordIds) {
    const told = all
      .map(({ deliveryId }) => byId.get(deliveryId))
      .filter((row) => row?.kycRecordId === kycRecordId);
    expect(told.map((row) => row?.sequence)).toEqual([1, 2, 3, 4]);
  }
  const twoOfOne = await record(platformId, 1);
  const [one] = await lease();
  expect(await lease()).toEqual([]);
  expect((await endpoints.ofRecord(platformId, twoOfOne))[0]?.deliveryId).toBe(one?.deliveryId);
});

test("a later change does not wait for the retry of a failed delivery", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  await makePrompt(endpointId);
  const kycRecordId = await record(platformId, 1);
  const [first] = await lease();
  if (!first) throw new Error("nothing is due");
  await deliveries.record(first, failed());
  const [second] = await lease();
  const rows = await endpoints.ofRecord(platformId, kycRecordId);
  expect(rows.map(({ deliveryId }) => deliveryId)).toEqual([first.deliveryId, second?.deliveryId]);
});

test("after a crash the lease expires, and another worker delivers the event", async () => {
  const { platformId } = await endpointWith(0);
  await record(platformId, 1);
  const [crashed] = await lease();
  expect(await lease()).toEqual([]);
  await expireLeases();
  const [again] = await lease();
  expect(again).toMatchObject({ deliveryId: crashed?.deliveryId, lease: 2, attempt: 2 });
});

test("a frozen worker cannot load or record a delivery that another worker leased", async () => {
  await endpointWith(1);
  const [frozen] = await lease();
  await expireLeases();
  const [other] = await lease();
  if (!frozen || !other) throw new Error("nothing is due");
  expect(await deliveries.load(frozen)).toBeNull();
  await deliveries.record(frozen, delivered);
  expect(await statusOf(other)).toBe("pending");
  await deliveries.release([frozen]);
  expect(await deliveries.load(other)).not.toBeNull();
  await deliveries.record(other, delivered);
  expect(await statusOf(other)).toBe("delivered");
  await deliveries.record(other, failed());
  expect(await statusOf(other)).toBe("delivered");
});

test("a late worker records its attempt if no other worker took the lease", async () => {
  await endpointWith(1);
  const [late] = await lease();
  await expireLeases();
  if (!late) throw new Error("nothing is due");
  await deliveries.record(late, delivered);
  expect(await statusOf(late)).toBe("delivered");
});

test("a released lease does not count as an attempt and cannot record one", async () => {
  await endpointWith(1);
  const [due] = await lease();
  if (!due) throw new Error("nothing is due");
  await deliveries.release([due]);
  await deliveries.record(due, delivered);
  expect(await statusOf(due)).toBe("pending");
  expect(await lease()).toMatchObject([{ deliveryId: due.deliveryId, lease: 2, attempt: 1 }]);
});
