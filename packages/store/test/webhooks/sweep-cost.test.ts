import { beforeEach, expect, onTestFinished, test } from "vitest";
import { rowsRead } from "../support/rows-read.ts";
import { makeWebhookWorld } from "../support/webhooks.ts";

/* A sweep runs each minute. The number of deliveries that it reads does not grow with the number of deliveries. */
let world: Awaited<ReturnType<typeof makeWebhookWorld>>;
beforeEach(async () => {
  world = await makeWebhookWorld({ maxConnections: 1, until: onTestFinished });
});

const sweep = () => world.deliveries.prune(30, 1_000);

/** Inserts delivered deliveries to an endpoint. */
const fill = (platformId: string, endpointId: string) =>
  world.admin(
    `with event as (
       insert into webhook_events (id, platform_id, type, data) values ('msg_' || $2::text, $1, 'webhook.test', '{}')
       returning id)
     insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, status)
     select 'whd_' || $2::text || n, $1, $2, id, 'delivered' from event, generate_series(1, 20000) as n`,
    [platformId, endpointId],
  );

async function rowsOfSweep(): Promise<number> {
  const read = () => rowsRead(world.database, world.urls.adminUrl, ["webhook_deliveries"]);
  const before = await read();
  await sweep();
  return (await read()) - before;
}

test("with plans that the empty tables led to", async () => {
  for (let call = 0; call < 10; call += 1) await sweep();
  const platformId = await world.platform();
  await fill(platformId, await world.endpoint(platformId));
  expect(await rowsOfSweep()).toBeLessThan(100);
});

test("with statistics of the deliveries alone: a table of few endpoints is never analyzed", async () => {
  const platformId = await world.platform();
  await fill(platformId, await world.endpoint(platformId));
  await world.admin("analyze webhook_deliveries, webhook_events");
  expect(await rowsOfSweep()).toBeLessThan(100);
});

test("with statistics from the time when most endpoints were deleted or disabled", async () => {
  const platformId = await world.platform();
  const endpointId = await world.endpoint(platformId);
  await fill(platformId, endpointId);
  for (let number = 0; number < 5; number += 1) await world.endpoint(platformId);
  await world.admin(
    `update webhook_endpoints set disabled_at = now(), disabled_reason = 'requested' where id <> $1`,
    [endpointId],
  );
  await world.admin(
    `update webhook_endpoints set deleted_at = now(), encrypted = null, data_key = null, key_version = null where id <> $1`,
    [endpointId],
  );
  await world.admin("analyze");
  for (let call = 0; call < 10; call += 1) await sweep();
  expect(await rowsOfSweep()).toBeLessThan(100);
});
