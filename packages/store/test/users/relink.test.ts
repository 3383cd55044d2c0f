import { expect, test } from "vitest";
import { erasures, kycRecordsRepository, rewrapDataKeys, userAdmin, usersRepository } from "../../src/index.ts";
import { aClaim, keys, keysOf, makeWorld } from "../support/world.ts";

const { database, kyc, platform } = await makeWorld();
const desk = userAdmin(database, keys);
const users = usersRepository(database, keys);
const ada = { memberId: "member-1", email: "Ada@example.com" };

test("relinking one name keeps the other, the data key and what it seals", async () => {
  const platformId = await platform();
  const { record } = await kyc.claim(platformId, aClaim(ada));
  const { externalUserId } = record;
  await desk.relink(platformId, externalUserId, { email: "augusta@example.com" });
  expect(await users.find(platformId, { email: "AUGUSTA@example.com" })).toEqual({ externalUserId });
  expect(await users.find(platformId, { memberId: "member-1" })).toEqual({ externalUserId });
  expect(await users.find(platformId, { email: ada.email })).toBeNull();

  // Another relinking opens what the first one sealed, also under another version of the ring.
  const rotated = keysOf(2, 1);
  await rewrapDataKeys(database, rotated);
  await userAdmin(database, rotated).relink(platformId, externalUserId, { memberId: "member-2" });
  expect(await users.find(platformId, { email: "augusta@example.com" })).toEqual({ externalUserId });
  const records = kycRecordsRepository(database, { keys: rotated });
  expect(await records.loadAttempt(platformId, record)).toMatchObject({ submission: ada });
});

test("of two users who are given one name at the same moment one gets it", async () => {
  const platformId = await platform();
  const claims = ["one", "two"].map((name) =>
    kyc.claim(platformId, aClaim({ memberId: name, email: `${name}@example.com` })),
  );
  const ids = (await Promise.all(claims)).map(({ record }) => record.externalUserId);
  const given = await Promise.allSettled(
    ids.map((id) => desk.relink(platformId, id, { memberId: "wanted" })),
  );
  expect(given.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(given.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "USER_IDENTITY_CONFLICT" },
  });
});

test("nobody relinks an erased user, or one of another platform", async () => {
  const platformId = await platform();
  const { record } = await kyc.claim(platformId, aClaim(ada));
  const { externalUserId } = record;
  const relink = (id: string) => desk.relink(id, externalUserId, { email: "x@example.com" });
  expect(await relink(await platform())).toBeNull();
  await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  await erasures(database).request(platformId, externalUserId);
  await expect.poll(() => erasures(database).eraseDue(100), { timeout: 5_000 }).toBe(1);
  expect(await relink(platformId)).toBeNull();
  expect(await desk.show(platformId, { externalUserId })).toMatchObject({ erasure: "erased" });
});
