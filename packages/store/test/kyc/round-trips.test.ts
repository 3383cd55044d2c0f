import { afterAll, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/index.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { openDatabase } from "../support/open-database.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

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
  // The first submission also connects.
  await kyc.createOrReplay(platformId, aRequest({ memberId: "first", email: "first@example.com" }));
  const result = await roundTripsOf(() => kyc.createOrReplay(platformId, aRequest()));
  const stored = await roundTripsOf(() => kyc.storeVerdict(platformId, result.record, answered("rejected")));
  expect([result.kind, result.roundTrips, stored.roundTrips]).toEqual(["new", 1, 1]);
});

test("an existing user's submission takes three round trips, and a replay by its key takes two", async () => {
  const platformId = await platform();
  const keyed = { ...aRequest(), idempotencyKey: "k" };
  const { record } = await kyc.createOrReplay(platformId, keyed);
  await kyc.storeVerdict(platformId, record, answered("rejected"));

  const changed = { occupation: "Poet" };
  const results = [aRequest(changed), aRequest(changed), aRequest(), { ...keyed, kycRecordId: "kyc_again" }];
  const outcomes = [];
  for (const result of results)
    outcomes.push(await roundTripsOf(() => kyc.createOrReplay(platformId, result)));
  expect(outcomes.map(({ kind, roundTrips }) => [kind, roundTrips])).toEqual([
    ["new", 3],
    ["replay", 3],
    ["replay", 3],
    ["replay", 2],
  ]);
});
