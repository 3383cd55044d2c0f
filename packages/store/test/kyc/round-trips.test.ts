import { afterAll, expect, test } from "vitest";
import { kycRecordsRepository, openDatabase } from "../../src/index.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { aClaim, answered, keys, makeWorld } from "../support/world.ts";

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

test("a new user's submission takes one round trip before the provider's call and one after it", async () => {
  const platformId = await platform();
  // The first one also connects.
  await kyc.claim(platformId, aClaim({ memberId: "first", email: "first@example.com" }));
  const claim = await roundTripsOf(() => kyc.claim(platformId, aClaim()));
  const stored = await roundTripsOf(() => kyc.storeVerdict(platformId, claim.record, answered("rejected")));
  expect([claim.kind, claim.roundTrips, stored.roundTrips]).toEqual(["new", 1, 1]);
});

test("an existing user's claim takes three round trips, a replay by its key two", async () => {
  const platformId = await platform();
  const keyed = { ...aClaim(), idempotencyKey: "k" };
  const { record } = await kyc.claim(platformId, keyed);
  await kyc.storeVerdict(platformId, record, answered("rejected"));

  const changed = { occupation: "Poet" };
  const claims = [aClaim(changed), aClaim(changed), { ...keyed, kycRecordId: "kyc_again" }];
  const outcomes = [];
  for (const claim of claims) outcomes.push(await roundTripsOf(() => kyc.claim(platformId, claim)));
  expect(outcomes.map(({ kind, roundTrips }) => [kind, roundTrips])).toEqual([
    ["new", 3],
    ["replay", 3],
    ["replay", 2],
  ]);
});
