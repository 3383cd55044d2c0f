import { afterAll, expect, test } from "vitest";
import { kycRecordsRepository, openDatabase } from "../src/index.ts";
import { startDatabaseProxy } from "../src/testing/database-proxy.ts";
import { aClaim, answered, keys, makeWorld } from "./world.ts";

const { platform, urls } = await makeWorld();
const proxy = await startDatabaseProxy(urls.serviceUrl);
const database = openDatabase({ url: proxy.url, maxConnections: 1, onError: () => {} });
const kyc = kycRecordsRepository(database, { keys });
afterAll(async () => {
  await database.close();
  await proxy.close();
});

async function roundTripsOf<T>(work: () => Promise<T>): Promise<T & { roundTrips: number }> {
  const before = proxy.roundTrips();
  return { ...(await work()), roundTrips: proxy.roundTrips() - before };
}

test("a submission is two round trips, its entry in the audit included; so is a replay", async () => {
  const platformId = await platform();
  const keyed = { ...aClaim(), idempotency: { operation: "kyc.submit", key: "k" } };
  // The first one also connects.
  const { record } = await kyc.claim(platformId, keyed);
  await kyc.storeVerdict(platformId, record, answered("rejected"));

  const changed = { occupation: "Poet" };
  const claims = [aClaim(changed), aClaim(changed), { ...keyed, kycRecordId: "kyc_again" }];
  const found = [];
  for (const claim of claims) found.push(await roundTripsOf(() => kyc.claim(platformId, claim)));
  expect(found.map(({ kind, roundTrips }) => [kind, roundTrips])).toEqual([
    ["new", 2],
    ["replay", 2],
    ["replay", 2],
  ]);
});
