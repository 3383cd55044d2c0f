import { expect, test } from "vitest";
import { createVerifiedKeys, kycRecordsRepository } from "../../src/database.ts";
import { keyRingOf } from "../support/key-ring.ts";
import { managing } from "../support/managing.ts";
import { keysOf, makeWorld, someone } from "../support/world.ts";

const { database, erasures, kyc, platform, ports, submitted, userAdmin: admin, users } = await makeWorld();
const ada = { memberId: "member-1", email: "Ada@example.com" };

test("relinking one name keeps the other name, the data key and the data encrypted under it", async () => {
  const { platformId, record, externalUserId } = await submitted(ada);
  await admin.relink(platformId, externalUserId, { email: "augusta@example.com" });
  expect(await users.find(platformId, { email: "AUGUSTA@example.com" })).toEqual({ externalUserId });
  expect(await users.find(platformId, { memberId: "member-1" })).toEqual({ externalUserId });
  expect(await users.find(platformId, { email: ada.email })).toBeNull();

  // A second relink decrypts the names that the first one encrypted, even under another version of the ring.
  const rotated = keysOf(2, 1);
  await keyRingOf(ports, rotated).rewrap({ after: "", limit: 100 });
  await managing({ ...ports, personalDataKeys: createVerifiedKeys(database, rotated) }).userAdmin.relink(
    platformId,
    externalUserId,
    { memberId: "member-2" },
  );
  expect(await users.find(platformId, { email: "augusta@example.com" })).toEqual({ externalUserId });
  const records = kycRecordsRepository(database, { keys: rotated });
  expect(await records.loadAttempt(platformId, record)).toMatchObject({ submission: ada });
});

test("one of two users who are relinked to the same name concurrently gets it", async () => {
  const platformId = await platform();
  const both = await Promise.all(["one", "two"].map((name) => submitted(someone(name), platformId)));
  const outcomes = await Promise.allSettled(
    both.map(({ externalUserId }) => admin.relink(platformId, externalUserId, { memberId: "wanted" })),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "USER_IDENTITY_CONFLICT" },
  });
});

test("an erased user and another platform's user cannot be relinked", async () => {
  const { platformId, record, externalUserId } = await submitted(ada);
  const relink = (id: string) => admin.relink(id, externalUserId, { email: "x@example.com" });
  expect(await relink(await platform())).toBeNull();
  await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  await erasures.request(platformId, externalUserId);
  await expect.poll(() => erasures.eraseDue(100)).toBe(1);
  expect(await relink(platformId)).toBeNull();
  expect(await admin.show(platformId, { externalUserId })).toMatchObject({ erasure: "erased" });
});
