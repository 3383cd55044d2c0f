import { expect, test } from "vitest";
import {
  encryptionKeysRepository,
  kycRecordsRepository,
  userAdmin,
  usersRepository,
} from "../../src/index.ts";
import { testErasures } from "../support/erasures.ts";
import { reader } from "../support/rows.ts";
import { aCaller, answered, aRequest, keys, keysOf, makeWorld } from "../support/world.ts";

const { audit, database, kyc, platform, urls } = await makeWorld();
const users = usersRepository(database, keys);
const admin = userAdmin(database, keys);
const { rowsOf } = reader(urls.adminUrl);
const ada = { memberId: "ada", email: "Ada@example.com" };
const bob = { memberId: "bob", email: "bob@example.com" };
const by = { ...aCaller, operation: "users.changeEmail" };

async function refused(platformId: string, names: typeof ada) {
  const { record } = await kyc.createOrReplay(platformId, aRequest(names));
  return (await kyc.storeVerdict(platformId, record, { outcome: "refused" })).record;
}

/** Creates a platform where Ada was refused and Bob's submission took over her e-mail. */
async function withoutEmail() {
  const platformId = await platform();
  const { externalUserId } = await refused(platformId, ada);
  const taken = await kyc.createOrReplay(platformId, aRequest({ ...bob, email: ada.email }));
  return { platformId, externalUserId, taker: taken.record };
}

/** The audit entries about users, newest first. */
async function auditOfUsers(platformId: string) {
  const entries = (await audit.list([platformId], { limit: 20 })).entries;
  return entries
    .filter(({ subject }) => subject?.startsWith("usr_"))
    .map(({ operation, subject, outcome }) => [operation, subject, outcome]);
}

test("a change keeps the user and their records, and is audited without names", async () => {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest(ada));
  const { externalUserId } = record;
  const email = "augusta@example.com";
  expect(await users.changeEmail(platformId, { ...ada, email }, by)).toEqual({ externalUserId });
  expect(await users.find(platformId, { email })).toEqual({ externalUserId });
  expect(await users.find(platformId, { email: ada.email })).toBeNull();
  expect(await kyc.latest(platformId, { email })).toMatchObject({ kycRecordId: record.kycRecordId });
  expect(await auditOfUsers(platformId)).toEqual([["users.changeEmail", externalUserId, "done"]]);
});

test("the same e-mail in another case changes nothing", async () => {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest(ada));
  const before = await rowsOf("users", platformId);
  const again = await users.changeEmail(platformId, { ...ada, email: "ADA@example.com" }, by);
  expect(again).toEqual({ externalUserId: record.externalUserId });
  expect(await rowsOf("users", platformId)).toEqual(before);
});

test("an unknown member id, or one of another platform, changes nothing", async () => {
  const platformId = await platform();
  await kyc.createOrReplay(platformId, aRequest(ada));
  expect(await users.changeEmail(platformId, bob, by)).toBeNull();
  expect(await users.changeEmail(await platform(), { ...ada, email: bob.email }, by)).toBeNull();
});

test("a change that takes over a refused user's e-mail is audited under both users", async () => {
  const platformId = await platform();
  const first = await refused(platformId, ada);
  const { record } = await kyc.createOrReplay(platformId, aRequest(bob));
  await users.changeEmail(platformId, { ...bob, email: ada.email }, by);
  expect(await users.find(platformId, { email: ada.email })).toEqual({
    externalUserId: record.externalUserId,
  });
  expect((await auditOfUsers(platformId)).sort()).toEqual(
    [first.externalUserId, record.externalUserId].map((id) => ["users.changeEmail", id, "done"]).sort(),
  );
});

test("a submission that takes over an e-mail is audited under both users", async () => {
  const { platformId, externalUserId, taker } = await withoutEmail();
  expect((await auditOfUsers(platformId)).sort()).toEqual(
    [externalUserId, taker.externalUserId].map((id) => ["kyc.submit", id, "done"]).sort(),
  );
});

test("a user without an e-mail keeps the member id, the records and the data key, also after a key rotation", async () => {
  const { platformId, externalUserId } = await withoutEmail();
  expect(await admin.show(platformId, { externalUserId })).toMatchObject({
    records: [{ resolution: "refused" }],
  });
  expect(await users.find(platformId, { memberId: "ada" })).toEqual({ externalUserId });
  await encryptionKeysRepository(database, keysOf(2, 1)).rewrap({ after: "", limit: 100 });
  const rotated = keysOf(2, 1);
  await userAdmin(database, rotated).relink(platformId, externalUserId, { memberId: "augusta" });
  expect(await users.find(platformId, { memberId: "augusta" })).toEqual({ externalUserId });
  const request = aRequest({ memberId: "augusta", email: "augusta@example.com" });
  const { record } = await kycRecordsRepository(database, { keys: rotated }).createOrReplay(
    platformId,
    request,
  );
  expect(record.externalUserId).toBe(externalUserId);
  expect(await users.find(platformId, { email: "augusta@example.com" })).toEqual({ externalUserId });
});

test("an import does not change a user without an e-mail", async () => {
  const { platformId } = await withoutEmail();
  const outcomes = await admin.import(platformId, [{ ...ada, generatedId: "usr_minted" }], by);
  expect(outcomes).toEqual([{ outcome: "taken", field: "memberId" }]);
});

test("a user without an e-mail can be erased", async () => {
  const { platformId, externalUserId } = await withoutEmail();
  await testErasures(database).request(platformId, externalUserId);
  await expect(users.changeEmail(platformId, ada, by)).rejects.toMatchObject({
    code: "USER_ERASURE_PENDING",
  });
  await expect.poll(() => testErasures(database).eraseDue(100)).toBe(1);
  expect(await users.find(platformId, { memberId: "ada" })).toBeNull();
});

test("an approval reports once that the user has no e-mail", async () => {
  const { platformId } = await withoutEmail();
  const record = await kyc.latest(platformId, { memberId: "ada" });
  if (!record) throw new Error("There is no record.");
  const rejected = await kyc.storeVerdict(platformId, record, answered("rejected"));
  expect(rejected.approvedWithoutEmail).toBe(false);
  const approved = await kyc.storeVerdict(platformId, rejected.record, answered("approved", null, 2));
  expect(approved.approvedWithoutEmail).toBe(true);
  // A later decision does not return the e-mail, and the same status is not counted again.
  const again = await kyc.storeVerdict(platformId, approved.record, answered("approved", null, 3));
  expect(again.approvedWithoutEmail).toBe(false);
  expect(await users.find(platformId, { email: ada.email })).not.toEqual({
    externalUserId: record.externalUserId,
  });
});
