import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { makeWebhookWorld } from "../support/webhooks.ts";

/*
 * The number of rows that a lease reads does not grow with the number of deliveries. A new database has no statistics
 * and keeps its plans until it is analyzed.
 */
const { platform, endpoint, database, admin, lease, makePrompt } = await makeWebhookWorld({
  maxConnections: 1,
});

/** The number of delivery rows that have been read, by index or sequentially. */
async function rowsRead(): Promise<number> {
  await database.withoutPlatform((tx) => tx.execute(sql`select pg_stat_force_next_flush()`));
  const [row] = await admin(
    `select (coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int as read
     from pg_stat_user_tables where relname = 'webhook_deliveries'`,
  );
  return row.read;
}

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
  for (let number = 0; number < 4; number += 1) {
    const endpointId = await endpoint(platformId);
    await makePrompt(endpointId);
    await fill(platformId, endpointId, 5_000);
  }
  const before = await rowsRead();
  expect(await lease(100, 100)).toHaveLength(16);
  expect((await rowsRead()) - before).toBeLessThan(200);
});
