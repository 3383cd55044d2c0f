import { setTimeout as wait } from "node:timers/promises";
import type { DueDelivery } from "@cardbridge/domain";
import { afterEach, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { delivered, failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld({ maxConnections: 8 });
const { deliverAll, deliveries, endpoint, endpoints, endpointWith, expireLeases, lease, platform, record } =
  world;

afterEach(async () => {
  await world.admin("delete from webhook_events");
  await world.admin("delete from webhook_endpoints");
});

const statusOf = async (due: DueDelivery) =>
  (await endpoints.delivery(due.platformId, due.endpointId, due.deliveryId))?.status;

test("several deliveries of an endpoint are leased at once, also after a failed attempt", async () => {
  const { endpointId } = await endpointWith(9);
  const [first, ...running] = await lease({ perEndpoint: 4 });
  expect(first).toMatchObject({ endpointId, lease: 1, attempt: 1 });
  expect(running).toHaveLength(3);
  if (first) await deliveries.record(first, failed());
  expect(await lease({ perEndpoint: 4, running })).toHaveLength(1);
  expect(await lease({ perEndpoint: 4, running: [...running, ...running] })).toEqual([]);
});

test("the leases of a killed worker delay only the later changes of their records", async () => {
  const { platformId, endpointId } = await endpointWith(0);
  const kycRecordId = await record(platformId, 1);
  expect(await lease({ perEndpoint: 1 })).toHaveLength(1);
  await record(platformId);
  await record(platformId);
  const another = await lease({ perEndpoint: 2 });
  expect(another).toHaveLength(2);
  expect(await lease()).toEqual([]);
  const [first, second] = await endpoints.ofRecord(platformId, kycRecordId);
  expect(another.map(({ deliveryId }) => deliveryId)).not.toContain(first?.deliveryId);
  expect(second).toMatchObject({ endpointId, status: "pending", attempts: 0 });
});

test("a platform gets at most half of the slots, whatever endpoints it creates and deletes", async () => {
  const platformId = await platform();
  const running: DueDelivery[] = [];
  for (let round = 0; round < 4; round += 1) {
    const ids = [await endpoint(platformId), await endpoint(platformId)];
    for (let number = 0; number < 4; number += 1) await record(platformId);
    running.push(...(await lease({ running, free: 16 - running.length, perEndpoint: 2 })));
    for (const id of ids) await endpoints.delete(platformId, id);
  }
  expect(running).toHaveLength(8);
  const { endpointId } = await endpointWith(9);
  const others = await lease({ running, free: 8 });
  expect(others.map((due) => due.endpointId)).toEqual(Array(4).fill(endpointId));
});

test("the last slot goes to a platform with the fewest attempts, in random order among equals", async () => {
  const busy = await endpointWith(3);
  const running = await lease({ perEndpoint: 1 });
  const [one, other] = [await endpointWith(1), await endpointWith(1)];
  const served = new Set<string>();
  for (let call = 0; call < 64 && served.size < 2; call += 1) {
    const due = await lease({ running, free: 2, perCall: 1 });
    expect(due).toHaveLength(1);
    for (const { endpointId } of due) served.add(endpointId);
    await deliveries.release(due);
  }
  expect(served).toEqual(new Set([one.endpointId, other.endpointId]));
  expect(served).not.toContain(busy.endpointId);
});

test("an endpoint whose last attempt did not succeed leaves the reserved slots free", async () => {
  const { endpointId: working } = await endpointWith(9);
  for (const due of await lease({ perEndpoint: 1 })) await deliveries.record(due, delivered);
  const { endpointId: unproven } = await endpointWith(9);
  const endpointsOf = async (slots: Parameters<typeof lease>[0]) =>
    (await lease(slots)).map(({ endpointId }) => endpointId);
  expect(await endpointsOf({ free: 4, reserved: 4 })).toEqual(Array(2).fill(working));
  expect(await endpointsOf({ free: 4, reserved: 0, perCall: 2 })).toContain(unproven);
  const all = await lease({ free: 10, reserved: 4, perEndpoint: 2 });
  expect(all.map(({ endpointId }) => endpointId)).toContain(unproven);
  for (const due of all) await deliveries.record(due, failed());
  expect(await lease({ free: 4, reserved: 4 })).toEqual([]);
});

test("concurrent workers lease no delivery twice", async () => {
  for (let number = 0; number < 4; number += 1) await endpointWith(6);
  const calls = Array.from({ length: 8 }, () => lease({ perEndpoint: 2 }));
  const ids = (await Promise.all(calls)).flat().map(({ deliveryId }) => deliveryId);
  expect([ids.length, new Set(ids).size]).toEqual([24, 24]);
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
    const { rows } = await client.query(
      "select * from lease_webhook_deliveries('[]', 9, 0, 9, 9, interval '1 minute')",
    );
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

test("the changes of a record are delivered in order, also by several workers", async () => {
  const platformId = await platform();
  await endpoint(platformId);
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
  await endpoint(platformId);
  const kycRecordId = await record(platformId, 1);
  const [first] = await lease();
  if (!first) throw new Error("nothing is due");
  await deliveries.record(first, failed());
  const [second] = await lease();
  const rows = await endpoints.ofRecord(platformId, kycRecordId);
  expect(rows.map(({ deliveryId }) => deliveryId)).toEqual([first.deliveryId, second?.deliveryId]);
});

test("after a crash the lease expires, and another worker delivers the event before later changes", async () => {
  const { platformId } = await endpointWith(0);
  await record(platformId, 1);
  const [crashed] = await lease();
  expect(await lease()).toEqual([]);
  await expireLeases();
  expect(await lease()).toMatchObject([{ deliveryId: crashed?.deliveryId, lease: 2, attempt: 2 }]);
});

test("a frozen worker cannot load or record a delivery that another worker leased", async () => {
  const { leaseOne } = await endpointWith(1);
  const frozen = await leaseOne();
  await expireLeases();
  const other = await leaseOne();
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
  const { leaseOne } = await endpointWith(1);
  const late = await leaseOne();
  await expireLeases();
  await deliveries.record(late, delivered);
  expect(await statusOf(late)).toBe("delivered");
});

test("a released lease does not count as an attempt and cannot record one", async () => {
  const { leaseOne } = await endpointWith(1);
  const due = await leaseOne();
  await deliveries.release([due]);
  await deliveries.record(due, delivered);
  expect(await statusOf(due)).toBe("pending");
  expect(await lease()).toMatchObject([{ deliveryId: due.deliveryId, lease: 2, attempt: 1 }]);
});
