import { maxRedeliveriesPerHour, type RedeliveryFilter } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { redeliverWebhooks } from "../../src/webhooks/redeliver-many.ts";
import { operatorCall, personCall } from "../support/calls.ts";
import { failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld();
const { admin, audit, deliverAll, endpoints, endpointWith } = world;

type Filter = Partial<RedeliveryFilter>;

/** Sends again for a person who may access these platforms. 0 is a preview. */
async function redeliverOf(platforms: readonly string[], limit: number, filter: Filter = {}) {
  const call = personCall(["ops.webhooks"], { platforms });
  const input = { ...filter, preview: limit === 0, ...(limit > 0 && { limit }) };
  return (await redeliverWebhooks.execute(world.ports, call, input)).data;
}

/** Platforms with an endpoint and failed deliveries: as many as the counts say, oldest first. */
async function withFailures(...counts: number[]) {
  const platforms: { platformId: string; endpointId: string }[] = [];
  for (const count of counts) platforms.push(await endpointWith(count));
  await deliverAll(failed({ kind: "failed" }));
  const ids = platforms.map(({ platformId }) => platformId);
  return {
    platforms,
    ids,
    redeliver: (limit: number, filter?: Filter) => redeliverOf(ids, limit, filter),
    async statuses() {
      const rows =
        "select status from webhook_deliveries where platform_id = any ($1) order by created_at, id";
      return (await admin(rows, [ids])).map(({ status }) => status);
    },
    audited: async () =>
      (await Promise.all(ids.map((id) => audit.list([id], { limit: 20 }).then(({ entries }) => entries))))
        .flat()
        .filter(({ operation }) => operation === "webhooks.redeliverMany")
        .map(({ subject, outcome, actor }) => [subject, outcome, actor]),
  };
}

test("repeated calls make the oldest ones due, until none is left, and audit each endpoint", async () => {
  const { platforms, redeliver, statuses, audited } = await withFailures(2, 2);
  // A preview.
  expect(await redeliver(0)).toEqual({ matching: 4, redelivered: 0, more: true });
  expect([await statuses(), await audited()]).toEqual([Array(4).fill("failed"), []]);
  expect(await redeliver(3)).toEqual({ matching: 4, redelivered: 3, more: true });
  expect(await statuses()).toEqual(["pending", "pending", "pending", "failed"]);
  expect(await audited()).toEqual(platforms.map(({ endpointId }) => [endpointId, "done", "key_1"]));
  expect(await redeliver(3)).toEqual({ matching: 1, redelivered: 1, more: false });
  expect(await redeliver(3)).toEqual({ matching: 0, redelivered: 0, more: false });
  expect(await audited()).toHaveLength(3);
});

test("the deliveries of a disabled endpoint, and those sent again too often, stay failed", async () => {
  const { platforms, ids, redeliver, statuses } = await withFailures(1, 2);
  const [one, two] = platforms;
  await endpoints.update(one?.platformId ?? "", one?.endpointId ?? "", { enabled: false });
  await admin(
    `update webhook_deliveries set redeliveries = $2, redeliveries_since = now()
     where id = (select min(id) from webhook_deliveries where endpoint_id = $1)`,
    [two?.endpointId, maxRedeliveriesPerHour],
  );
  expect(await redeliver(10)).toEqual({ matching: 1, redelivered: 1, more: false });
  expect((await statuses()).sort()).toEqual(["failed", "failed", "pending"]);
  await admin(
    "update webhook_deliveries set redeliveries_since = now() - interval '61 minutes' where redeliveries = $1",
    [maxRedeliveriesPerHour],
  );
  expect(await redeliverOf(ids.slice(0, 1), 10)).toMatchObject({ matching: 0 });
  expect(await redeliver(10)).toEqual({ matching: 1, redelivered: 1, more: false });
});

test("the filter and the platforms limit what is sent again", async () => {
  const { platforms, ids, redeliver } = await withFailures(1, 1);
  const [one, two] = platforms;
  const count = async (filter: Filter) => (await redeliver(0, filter)).matching;
  expect(await count({ type: "kyc.updated" })).toBe(2);
  expect(await count({ type: "card.updated" })).toBe(0);
  expect(await count({ endpointId: one?.endpointId ?? "" })).toBe(1);
  const [delivery] =
    (await endpoints.deliveries(two?.platformId ?? "", { endpointId: two?.endpointId ?? "", limit: 1 })) ??
    [];
  expect(await count({ kycRecordId: delivery?.kycRecordId ?? "" })).toBe(1);
  expect(await count({ createdAfter: new Date(Date.now() + 3_600_000).toISOString() })).toBe(0);
  expect(await count({ createdBefore: new Date(0).toISOString() })).toBe(0);
  expect(await redeliverOf(ids.slice(0, 1), 10)).toEqual({
    matching: 1,
    redelivered: 1,
    more: false,
  });
  expect(await redeliverOf([], 10)).toEqual({ matching: 0, redelivered: 0, more: false });
});

test("deliveries that wait are sent at once if they are asked for, once, and not while one is attempted", async () => {
  const { platformId, endpointId } = await endpointWith(4);
  const statuses = ["failed", "pending"] as const;
  const change = (set: string, nth: number) =>
    admin(
      `update webhook_deliveries set ${set}
       where id = (select id from webhook_deliveries where endpoint_id = $1 order by id offset $2 limit 1)`,
      [endpointId, nth],
    );
  await change("status = 'failed', due_at = null", 0);
  await change("attempt = 3, due_at = now() + interval '5 hours'", 1);
  await change("lease_until = now() + interval '1 minute', due_at = now() + interval '1 minute'", 2);
  // The last one is due already.
  const call = (limit: number, filter: Filter) => redeliverOf([platformId], limit, filter);
  expect(await call(0, {})).toMatchObject({ matching: 1 });
  expect(await call(0, { statuses: ["pending"] })).toMatchObject({ matching: 1 });
  expect(await call(10, { statuses: [...statuses] })).toEqual({ matching: 2, redelivered: 2, more: false });
  expect(await call(10, { statuses: [...statuses] })).toEqual({ matching: 0, redelivered: 0, more: false });
  const rows = await admin(
    "select attempt, due_at <= now() as due from webhook_deliveries where endpoint_id = $1 order by id",
    [endpointId],
  );
  expect(rows.map(({ due }) => due)).toEqual([true, true, false, true]);
  expect(rows[1]).toMatchObject({ attempt: 0 });
});

test("concurrent calls send each delivery again once", async () => {
  const { redeliver } = await withFailures(5, 5);
  const results = await Promise.all([redeliver(10), redeliver(10), redeliver(10)]);
  expect(results.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(10);
});

test.each([{}, { preview: false, limit: 0 }, { preview: false, limit: 201 }])(
  "%j is refused",
  async (input) => {
    const called = redeliverWebhooks.execute(world.ports, operatorCall, input);
    await expect(called).rejects.toMatchObject({ code: "INVALID_INPUT" });
  },
);
