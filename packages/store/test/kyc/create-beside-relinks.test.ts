import { expect, test } from "vitest";
import { userAdmin } from "../../src/index.ts";
import { testErasures } from "../support/erasures.ts";
import { reader } from "../support/rows.ts";
import { aRequest, keys, makeWorld } from "../support/world.ts";

const { database, kyc, platform, urls } = await makeWorld({ maxConnections: 10 });
const admin = userAdmin(database, keys);
const { rowsOf } = reader(urls.adminUrl);
const namesOf = (round: number) => ({ memberId: `member-${round}`, email: `user-${round}@example.com` });

test("300 submissions concurrent with relinks conflict with the relinked user's record or create a new user", async () => {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest(namesOf(0)));
  for (let round = 0; round < 30; round += 1) {
    const relinked = admin.relink(platformId, record.externalUserId, namesOf(round + 1));
    const results = Array.from({ length: 10 }, () =>
      kyc.createOrReplay(platformId, aRequest(namesOf(round))),
    );
    const outcomes = await Promise.all(results.map((result) => result.catch(({ code }) => code)));
    await relinked;
    // Submissions before the relink conflict with the user's open record. Later ones share one new user's record.
    const refusals = outcomes.filter((outcome) => typeof outcome === "string");
    expect(refusals.filter((code) => code !== "KYC_ALREADY_SUBMITTED")).toEqual([]);
    expect(outcomes.filter(({ kind }) => kind === "new").length).toBeLessThanOrEqual(1);
  }
  const records = await rowsOf("kyc_records", platformId);
  expect(new Set(records.map(({ user_id }) => user_id)).size).toBe(records.length);
});

test("each submission at the end of an erasure is rejected for the erasure or belongs to a new user", async () => {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest(namesOf(0)));
  await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  const { request, eraseDue } = testErasures(database);
  await request(platformId, record.externalUserId);
  const another = () => kyc.createOrReplay(platformId, aRequest({ ...namesOf(0), occupation: "Poet" }));
  await expect(another()).rejects.toMatchObject({ code: "USER_ERASURE_PENDING" });
  // An erasure skips a user whom a submission has locked.
  const erase = async () => expect.poll(() => eraseDue(100), { interval: 5 }).toBe(1);
  const erased = erase();
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => another().catch(({ code }) => code)));
  await erased;
  const refusals = outcomes.filter((outcome) => typeof outcome === "string");
  expect(refusals.filter((code) => code !== "USER_ERASURE_PENDING")).toEqual([]);
  expect((await another()).record.externalUserId).not.toBe(record.externalUserId);
});
