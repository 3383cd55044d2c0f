import type { PersonPlatforms, RedeliveryFilter } from "@cardbridge/domain";
import { beforeAll, expect, test } from "vitest";
import { type DeliveryFilter, readScans, scansOf } from "../../src/webhooks/delivery-scans.ts";
import { countAgain, oldestAgain } from "../../src/webhooks/redeliver-many.ts";
import { explain } from "../support/plan.ts";
import { makeWebhookWorld } from "../support/webhooks.ts";

const { database, admin, platform, endpoint } = await makeWebhookWorld();
const platforms: string[] = [];
const endpointIds: string[] = [];
const limit = 51;
const newest = { at: Date.now() * 1_000 + 1e12, id: "~" };

/** 40,000 deliveries of twenty endpoints; one of 40 has failed. */
beforeAll(async () => {
  for (let index = 0; index < 20; index += 1) {
    const platformId = await platform();
    platforms.push(platformId);
    endpointIds.push(await endpoint(platformId));
  }
  await admin(
    `insert into webhook_events (id, platform_id, type, kyc_history_id, sequence)
     select 'msg_' || n, ($1::text[])[1 + n % 20], 'kyc.updated', n, 1 from generate_series(1, 40000) as n`,
    [platforms],
  );
  await admin(
    `insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, record_id, sequence, status, created_at)
     select 'whd_' || lpad(n::text, 9, '0'), ($1::text[])[1 + n % 20], ($2::text[])[1 + n % 20], 'msg_' || n, 'kyc_' || n / 40, 1,
       case when n / 20 % 40 = 0 then 'failed' else 'delivered' end, now() - interval '20 days' + n * interval '10 seconds'
     from generate_series(1, 40000) as n`,
    [platforms, endpointIds],
  );
  await admin("vacuum analyze");
});

const reaches: [string, () => PersonPlatforms, number][] = [
  ["one platform", () => platforms.slice(0, 1), 1],
  ["several platforms", () => platforms.slice(0, 12), 12],
  ["all platforms", () => "all", 20],
];

async function read(reach: PersonPlatforms, filter: DeliveryFilter, size = limit) {
  const scans = await database.asOperators(reach, (tx) => scansOf(tx, filter, newest));
  return explain(database, reach, readScans(filter, scans, size));
}

test.each(reaches)(
  "the newest deliveries of %s are read by the index of their endpoint",
  async (_name, reach, count) => {
    expect((await read(reach(), {})).webhook_deliveries).toEqual([
      { index: "webhook_deliveries_of_endpoint", rows: count * limit },
    ]);
  },
);

test.each(reaches)(
  "the failed ones of %s are read by the index of their status",
  async (_name, reach, count) => {
    expect((await read(reach(), { status: "failed" })).webhook_deliveries).toEqual([
      { index: "webhook_deliveries_of_status", rows: count * 50 },
    ]);
  },
);

test("those of a record are read by the record's index", async () => {
  const { webhook_deliveries: accesses } = await read("all", { kycRecordId: "kyc_7" });
  expect(accesses?.map(({ index }) => index)).toEqual(["webhook_deliveries_of_record"]);
  expect(accesses?.[0]?.rows).toBeLessThanOrEqual(40);
});

test.each(reaches)("another filter of %s reads as many rows as it may", async (_name, reach, count) => {
  const { webhook_deliveries: accesses } = await read(reach(), { type: "card.updated" }, 200);
  expect(accesses).toEqual([{ index: "webhook_deliveries_of_endpoint", rows: count * 200 }]);
});

test.each(reaches)(
  "what is sent again of %s is found by the index of the status",
  async (_name, reach, count) => {
    const filter: RedeliveryFilter = { statuses: ["failed"] };
    for (const statement of [countAgain(filter), oldestAgain(filter, 20)]) {
      const { webhook_deliveries: accesses } = await explain(database, reach(), statement);
      expect(accesses?.map(({ index }) => index)).toEqual(["webhook_deliveries_of_status"]);
      expect(accesses?.[0]?.rows).toBeLessThanOrEqual(count * 50);
    }
  },
);
