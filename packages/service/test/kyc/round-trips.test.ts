import type { AttemptReport } from "@cardbridge/domain";
import { afterAll, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/database.ts";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { openDatabase } from "../support/open-database.ts";
import { answered, aRequest, keys, makeWorld, someone } from "../support/world.ts";

const { platform, urls } = await makeWorld();
const proxy = await startDatabaseProxy(urls.serviceUrl);
const database = openDatabase({ url: proxy.url, maxConnections: 1, onError: () => {} });
const kyc = kycRecordsRepository(database, { keys });
afterAll(async () => {
  await database.close();
  await proxy.close();
});

const report: AttemptReport = { step: "send", outcome: "unknown", reason: null, milliseconds: 9, by: "x" };

async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const before = proxy.roundTrips();
  await work();
  return proxy.roundTrips() - before;
}

test("a new user's submission takes one round trip before the provider's call and one after it, with its report", async () => {
  const platformId = await platform();
  // The first submission also connects.
  await kyc.createOrReplay(platformId, aRequest(someone("first")));
  const request = aRequest();
  const created = await roundTripsOf(() => kyc.createOrReplay(platformId, request));
  const { record } = await kyc.createOrReplay(platformId, request);
  const plan = { step: "ask", notFound: 0, delayMs: 0 } as const;
  const rescheduled = await roundTripsOf(() => kyc.reschedule(platformId, record, plan, report));
  const stored = await roundTripsOf(() => kyc.storeVerdict(platformId, record, answered("rejected"), report));
  expect({ created, rescheduled, stored }).toEqual({ created: 1, rescheduled: 1, stored: 1 });
});

test("an existing user's submission takes three round trips, and a replay by its key takes two", async () => {
  const platformId = await platform();
  const keyed = { ...aRequest(), idempotencyKey: "k" };
  const { record } = await kyc.createOrReplay(platformId, keyed);
  await kyc.storeVerdict(platformId, record, answered("rejected"));

  const poet = aRequest({ occupation: "Poet" });
  const roundTrips = [];
  for (const request of [poet, poet, aRequest(), { ...keyed, kycRecordId: "kyc_again" }])
    roundTrips.push(await roundTripsOf(() => kyc.createOrReplay(platformId, request)));
  expect(roundTrips).toEqual([3, 3, 3, 2]);
});
