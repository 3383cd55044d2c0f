import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { pruneWebhooks } from "../../src/webhooks/upkeep.ts";
import { rowsRead } from "../support/rows-read.ts";
import { makeWebhookWorld } from "../support/webhooks.ts";

/*
 * The number of deliveries that a lease, a page or a sweep reads does not grow with their number. A new database has no
 * statistics and keeps its plans until it is analyzed.
 */
async function measuredWorld() {
  const world = await makeWebhookWorld({ maxConnections: 1, until: onTestFinished });
  const { admin, database, endpoint, lease, platform, urls } = world;
  const sweep = () => pruneWebhooks({ database }, 30, 1_000);
  // A plan that the empty tables led to must not stay.
  for (let call = 0; call < 10; call += 1) await Promise.all([lease(), sweep()]);
  const platformId = await platform();
  return {
    ...world,
    platformId,
    sweep,
    /** Creates an endpoint with deliveries of this status, and returns its id. */
    async fill(count: number, status: "pending" | "delivered") {
      const endpointId = await endpoint(platformId);
      await admin(
        `with event as (
           insert into webhook_events (id, platform_id, type, data)
           values ('msg_' || $2::text, $1, 'webhook.test', '{}') returning id)
         insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, record_id, sequence, status, due_at)
         select 'whd_' || $2::text || n, $1, $2, id, 'kyc_' || n / 4, n % 4, $4, case $4 when 'pending' then now() end
         from event, generate_series(1, $3::integer) as n`,
        [platformId, endpointId, count, status],
      );
      return endpointId;
    },
    async rowsOf(call: () => Promise<unknown>) {
      const read = () => rowsRead(database, urls.adminUrl, ["webhook_deliveries"]);
      const before = await read();
      await call();
      return (await read()) - before;
    },
  };
}

test("a lease reads a few rows per delivery, however many deliveries are pending", async () => {
  const { fill, lease, rowsOf } = await measuredWorld();
  for (let number = 0; number < 4; number += 1) await fill(5_000, "pending");
  const leaseSome = async () => expect(await lease({ perEndpoint: 4 })).toHaveLength(16);
  expect(await rowsOf(leaseSome)).toBeLessThan(200);
});

test("a page reads a few rows, however many deliveries are newer or have another status", async () => {
  const { admin, database, endpoints, fill, platformId, rowsOf } = await measuredWorld();
  const endpointId = await fill(5_000, "pending");
  // Over the measured connection, because the statistics of others arrive late.
  const ids = await database.asPlatform(platformId, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(
      sql`select id from webhook_deliveries where endpoint_id = ${endpointId} order by created_at, id limit 40`,
    );
    const oldest = rows.map(({ id }) => id);
    const failed = sql.param(oldest.filter((_, index) => index % 2 === 0));
    await tx.execute(
      sql`update webhook_deliveries set status = 'failed', due_at = null where id = any(${failed})`,
    );
    return oldest;
  });
  await admin("analyze webhook_deliveries, webhook_events, webhook_endpoints");
  for (const { status, first } of [
    { status: undefined, first: ids[38] },
    { status: "pending", first: ids[37] },
    { status: "failed", first: ids[38] },
  ] as const) {
    const readPage = async () => {
      const page = await endpoints.deliveries(platformId, { endpointId, status, before: ids[39], limit: 10 });
      expect([page?.length, page?.[0]?.deliveryId]).toEqual([10, first]);
    };
    expect(await rowsOf(readPage)).toBeLessThan(100);
  }
});

/* A sweep runs each minute. */
test("a sweep reads few deliveries, with plans of empty tables and without statistics of the few endpoints", async () => {
  const { admin, fill, rowsOf, sweep } = await measuredWorld();
  await fill(20_000, "delivered");
  expect(await rowsOf(sweep)).toBeLessThan(100);
  await admin("analyze webhook_deliveries, webhook_events");
  expect(await rowsOf(sweep)).toBeLessThan(100);
});

test("a sweep reads few deliveries with statistics from the time when most endpoints were deleted or disabled", async () => {
  const { admin, endpoint, fill, platformId, rowsOf, sweep } = await measuredWorld();
  const endpointId = await fill(20_000, "delivered");
  for (let number = 0; number < 5; number += 1) await endpoint(platformId);
  const disabled = "disabled_at = now(), disabled_reason = 'requested'";
  await admin(`update webhook_endpoints set ${disabled} where id <> $1`, [endpointId]);
  const deleted = "deleted_at = now(), encrypted = null, data_key = null, key_version = null";
  await admin(`update webhook_endpoints set ${deleted} where id <> $1`, [endpointId]);
  await admin("analyze");
  for (let call = 0; call < 10; call += 1) await sweep();
  expect(await rowsOf(sweep)).toBeLessThan(100);
});
