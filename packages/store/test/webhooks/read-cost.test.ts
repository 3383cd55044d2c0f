import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { rowsRead } from "../support/rows-read.ts";
import { makeWebhookWorld } from "../support/webhooks.ts";

/*
 * The number of rows that a lease or a page reads does not grow with the number of deliveries. A new database has no
 * statistics and keeps its plans until it is analyzed.
 */
const { platform, endpoint, endpoints, database, admin, lease, urls } = await makeWebhookWorld({
  maxConnections: 1,
});

const rowsOfDeliveries = () => rowsRead(database, urls.adminUrl, ["webhook_deliveries"]);

const fill = (platformId: string, endpointId: string, records: number) =>
  admin(
    `with event as (
       insert into webhook_events (id, platform_id, type, data)
       values ('msg_' || $2::text, $1, 'webhook.test', '{}') returning id)
     insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, record_id, sequence, status, due_at)
     select 'whd_' || $2::text || n, $1, $2, id, 'kyc_' || n / 4, n % 4, 'pending', now()
     from event, generate_series(1, $3) as n`,
    [platformId, endpointId, records],
  );

test("a lease reads a few rows per delivery, however many deliveries are pending", async () => {
  const platformId = await platform();
  // A plan that the empty tables led to must not stay.
  for (let call = 0; call < 10; call += 1) await lease();
  for (let number = 0; number < 4; number += 1) {
    const endpointId = await endpoint(platformId);
    await fill(platformId, endpointId, 5_000);
  }
  const before = await rowsOfDeliveries();
  expect(await lease({ perEndpoint: 4 })).toHaveLength(16);
  expect((await rowsOfDeliveries()) - before).toBeLessThan(200);
});

test.each([undefined, "pending", "failed"] as const)(
  "a page reads a few rows, however many deliveries are newer or have another status: %s",
  async (status) => {
    const platformId = await platform();
    const endpointId = await endpoint(platformId);
    await fill(platformId, endpointId, 5_000);
    // Over the measured connection, because the statistics of others arrive late.
    const ids = await database.asPlatform(platformId, async (tx) => {
      const { rows } = await tx.execute<{ id: string }>(
        sql`select id from webhook_deliveries where endpoint_id = ${endpointId} order by created_at, id limit 40`,
      );
      const oldest = rows.map(({ id }) => id);
      const failed = oldest.filter((_, index) => index % 2 === 0);
      await tx.execute(
        sql`update webhook_deliveries set status = 'failed', due_at = null where id = any(${sql.param(failed)})`,
      );
      return oldest;
    });
    await admin("analyze webhook_deliveries, webhook_events, webhook_endpoints");
    const before = await rowsOfDeliveries();
    const page = await endpoints.deliveries(platformId, { endpointId, status, before: ids[39], limit: 10 });
    const read = (await rowsOfDeliveries()) - before;
    expect(page).toHaveLength(10);
    expect(page?.[0]?.deliveryId).toBe(ids[status === undefined || status === "failed" ? 38 : 37]);
    expect(read).toBeLessThan(100);
  },
);
