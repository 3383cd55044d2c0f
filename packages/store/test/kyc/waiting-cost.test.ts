import { expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { kycAdmin } from "../../src/index.ts";
import { rowsRead } from "../support/rows-read.ts";
import { aRequest, keys, makeWorld } from "../support/world.ts";

/* The metrics count the waiting records at each scrape, so a count must not read the decided ones. */
const makeCounts = async () => {
  const { kyc, database, platform, urls } = await makeWorld({ maxConnections: 1, until: onTestFinished });
  const admin = kycAdmin(database, { leaseSeconds: 30, keys, names: async () => [] });
  const reads = {
    count: () => kyc.countWaiting(),
    list: () => admin.list({ limit: 20 }),
  };
  // A plan that the empty table led to must not stay.
  for (let call = 0; call < 10; call += 1) await Promise.all([reads.count(), reads.list()]);
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  const query = (text: string, values: unknown[] = []) =>
    withConnection(urls.adminUrl, (client) => client.query(text, values));
  await query(
    `insert into kyc_records (id, platform_id, user_id, resolution, attempt)
     select 'kyc_decided_' || n, $1, $2, 'answered', 1 from generate_series(1, 20000) as n`,
    [platformId, record.externalUserId],
  );
  return { reads, query, read: () => rowsRead(database, urls.adminUrl, ["kyc_records"]) };
};

test.each(["count", "list"] as const)(
  "a %s of waiting records reads no decided record, with the statistics of none and of all records",
  async (name) => {
    const { reads, query, read } = await makeCounts();
    const rowsOfCall = async () => {
      const before = await read();
      expect(await reads[name]()).toHaveLength(1);
      return (await read()) - before;
    };
    const withoutStatistics = await rowsOfCall();
    await query("analyze kyc_records");
    expect([withoutStatistics, await rowsOfCall()]).toEqual([1, 1]);
  },
);
