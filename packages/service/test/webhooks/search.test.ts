import { type DeliverySearchQuery, deliverySearchPage, endpointHealth } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { readEndpointHealth } from "../../src/webhooks/endpoint-health.ts";
import { searchWebhookDeliveries } from "../../src/webhooks/search-deliveries.ts";
import { personCall } from "../support/calls.ts";
import { failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld();
const { platform, endpoint, record, endpoints, admin, deliverAll } = world;

/** What a person finds who may access these platforms. */
const page = async (platforms: readonly string[] | "all", query: Partial<DeliverySearchQuery> = {}) => {
  const call = personCall(["ops.webhooks"], { platforms });
  return (await searchWebhookDeliveries.execute(world.ports, call, query)).data;
};
const healthOf = async (platforms: readonly string[], query: { failing?: true } = {}) =>
  (await readEndpointHealth.execute(world.ports, personCall(["ops.records.read"], { platforms }), query))
    .data;
const ids = async (platforms: readonly string[] | "all", query: Partial<DeliverySearchQuery> = {}) =>
  (await page(platforms, query)).deliveries.map(({ deliveryId }) => deliveryId);

/** Two platforms with an endpoint each and three deliveries: failed, delivered, pending. */
async function twoPlatforms() {
  const [one, two] = [await platform(), await platform()];
  const [first, second] = [await endpoint(one), await endpoint(two, ["kyc.updated", "card.updated"])];
  const records = [await record(one)];
  await deliverAll(failed({ kind: "failed" }));
  records.push(await record(two));
  await deliverAll();
  records.push(await record(one));
  const all = (await admin("select id, platform_id from webhook_deliveries order by created_at, id"))
    .filter(({ platform_id }) => [one, two].includes(platform_id))
    .map(({ id }) => id as string);
  return { one, two, first, second, records, all };
}

describe("a search of deliveries", () => {
  test("returns those of its platforms, newest first, with the last response and without its text", async () => {
    const { one, two, first, records, all } = await twoPlatforms();
    const [failedId = "", deliveredId = "", pendingId = ""] = all;
    const result = await page([one, two]);
    expect(deliverySearchPage.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      nextCursor: null,
      narrow: false,
      deliveries: [
        { deliveryId: pendingId, status: "pending", lastStatus: null, lastReason: null },
        { deliveryId: deliveredId, platformId: two, status: "delivered", lastStatus: 200 },
        {
          deliveryId: failedId,
          platformId: one,
          platformName: "A platform",
          endpointId: first,
          type: "kyc.updated",
          kycRecordId: records[0],
          status: "failed",
          attempts: 1,
          lastStatus: 500,
        },
      ],
    });
    expect(JSON.stringify(result)).not.toMatch(/excerpt|receiver\.example/);
    expect(await ids([one])).toEqual([pendingId, failedId]);
    expect((await ids("all")).slice(0, 3)).toEqual([pendingId, deliveredId, failedId]);
    expect(await page([])).toEqual({ deliveries: [], nextCursor: null, narrow: false });
  });

  test("combines its filters, and shows no deliveries of a deleted endpoint", async () => {
    const { one, two, first, second, records, all } = await twoPlatforms();
    const [failedId = "", deliveredId = "", pendingId = ""] = all;
    const both = [one, two];
    await endpoints.test(two, second);
    const [tested = ""] = await ids(both, { type: "webhook.test" });
    expect(await ids(both, { status: "failed" })).toEqual([failedId]);
    expect(await ids(both, { endpointId: second })).toEqual([tested, deliveredId]);
    expect(await ids(both, { type: "kyc.updated", status: "pending" })).toEqual([pendingId]);
    expect(await ids(both, { kycRecordId: records[1] ?? "" })).toEqual([deliveredId]);
    expect(await ids([one], { kycRecordId: records[1] ?? "" })).toEqual([]);
    expect(await ids(both, { kycRecordId: records[0] ?? "", endpointId: second })).toEqual([]);
    const [{ createdAt } = { createdAt: "" }] = (await page(both, { status: "delivered" })).deliveries;
    await admin("update webhook_deliveries set created_at = created_at - interval '1 hour' where id = $1", [
      failedId,
    ]);
    await admin("update webhook_deliveries set created_at = created_at + interval '1 hour' where id = $1", [
      pendingId,
    ]);
    const around = [-1_000, 1_000].map((ms) => new Date(Date.parse(createdAt) + ms).toISOString());
    const [createdAfter = "", createdBefore = ""] = around;
    expect(await ids(both, { createdAfter, type: "kyc.updated" })).toEqual([pendingId, deliveredId]);
    expect(await ids(both, { createdBefore, type: "kyc.updated" })).toEqual([deliveredId, failedId]);
    await endpoints.delete(one, first);
    expect(await ids([one])).toEqual([]);
  });

  test("has each delivery on one page", async () => {
    const { one, two, all } = await twoPlatforms();
    const both = [one, two];
    const pages: string[][] = [];
    let cursor: string | null | undefined;
    do {
      const { deliveries, nextCursor } = await page(both, { limit: 1, ...(cursor && { cursor }) });
      pages.push(deliveries.map(({ deliveryId }) => deliveryId));
      cursor = nextCursor;
    } while (cursor);
    expect(pages).toEqual(all.toReversed().map((id) => [id]));
    const { nextCursor } = await page(both, { limit: 1 });
    await expect(page(both, { cursor: nextCursor ?? "", status: "failed" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [{ path: ["cursor"] }] },
    });
  });
});

describe("the health of endpoints", () => {
  test("lists those whose last attempt failed or that the service disabled, the longest failing first", async () => {
    const [one, two] = [await platform(), await platform()];
    const [healthy, failing, gone, off] = [
      await endpoint(one),
      await endpoint(one),
      await endpoint(two),
      await endpoint(two),
    ];
    await record(one);
    await admin("update webhook_deliveries set status = 'failed', due_at = null where endpoint_id = $1", [
      failing,
    ]);
    await admin(
      `update webhook_endpoints set failing_since = now() - interval '1 day', disabled_at = case id when $3 then now() end,
         disabled_reason = case id when $3 then 'gone' end where id in ($2, $3)
         and id <> $1`,
      [healthy, failing, gone],
    );
    await admin("update webhook_endpoints set failing_since = now() - interval '2 days' where id = $1", [
      gone,
    ]);
    await endpoints.update(two, off, { enabled: false });
    const result = await healthOf([one, two]);
    expect(endpointHealth.parse(result)).toEqual(result);
    const first = { ...result, endpoints: result.endpoints.slice(0, 2) };
    expect(first).toMatchObject({
      more: false,
      endpoints: [
        { platformId: two, endpointId: gone, enabled: false, disabledReason: "gone", pending: 0, failed: 0 },
        {
          platformId: one,
          platformName: "A platform",
          endpointId: failing,
          enabled: true,
          pending: 0,
          failed: 1,
        },
      ],
    });
    expect(
      result.endpoints
        .slice(2)
        .map(({ endpointId }) => endpointId)
        .sort(),
    ).toEqual([healthy, off].sort());
    const only = await healthOf([one], { failing: true });
    expect(only).toMatchObject({
      endpoints: [{ endpointId: failing, description: null, url: null }],
      more: false,
    });
    await endpoints.delete(one, failing);
    expect(await healthOf([one], { failing: true })).toEqual({ endpoints: [], more: false });
  });

  test("says the last response of a failing one and when it is tried next, and its address to who may change it", async () => {
    const one = await platform();
    const [failing, receiving] = [await endpoint(one), await endpoint(one, ["card.updated"])];
    await record(one);
    await deliverAll(failed());
    await record(one);
    const call = personCall(["ops.records.read", "ops.webhooks"], { platforms: [one] });
    const { data } = await readEndpointHealth.execute(world.ports, call, {});
    expect(data.endpoints.map(({ endpointId }) => endpointId)).toEqual([failing, receiving]);
    expect(data.endpoints).toMatchObject([
      { url: expect.stringContaining(failing), lastStatus: 500, lastReason: null, pending: 2 },
      { lastStatus: null, lastReason: null, pending: 0, nextAttemptAt: null, failingSince: null },
    ]);
    const [{ due } = { due: null }] = await admin(
      "select min(due_at) as due from webhook_deliveries where endpoint_id = $1",
      [failing],
    );
    expect(data.endpoints[0]?.nextAttemptAt).toBe((due as Date).toISOString());
    // A long queue: the newest deliveries have no attempt.
    await admin(
      "update webhook_deliveries set created_at = created_at - interval '1 day' where endpoint_id = $1 and attempt > 0",
      [failing],
    );
    for (let nth = 0; nth < 10; nth += 1) await endpoints.test(one, failing);
    expect((await readEndpointHealth.execute(world.ports, call, {})).data.endpoints[0]).toMatchObject({
      lastStatus: 500,
    });
  });
});
