import { expect, test } from "vitest";
import { aCaller, answered, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { audit, erasures, kyc, platform, rowsOf, submitted, users } = world;
const ada = { memberId: "ada", email: "Ada@example.com" };
const bob = { memberId: "bob", email: "bob@example.com" };
const by = { ...aCaller, operation: "users.changeEmail" };

/** Creates a platform where Ada was refused. */
async function refused() {
  const { platformId, record, externalUserId } = await submitted(ada);
  await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  return { platformId, externalUserId };
}

/** Creates a platform where Ada was refused and Bob's submission took over her e-mail. */
async function withoutEmail() {
  const { platformId, externalUserId } = await refused();
  const taker = await submitted({ ...bob, email: ada.email }, platformId);
  return { platformId, externalUserId, taker };
}

/** The audit entries about users, newest first. */
async function auditOfUsers(platformId: string) {
  const entries = (await audit.list([platformId], { limit: 20 })).entries;
  return entries
    .filter(({ subject }) => subject?.startsWith("usr_"))
    .map(({ operation, subject, outcome }) => [operation, subject, outcome]);
}

test("a change keeps the user and their records, and is audited without names", async () => {
  const { platformId, kycRecordId, externalUserId } = await submitted(ada);
  const email = "augusta@example.com";
  expect(await users.changeEmail(platformId, { ...ada, email }, by)).toEqual({ externalUserId });
  expect(await users.find(platformId, { email })).toEqual({ externalUserId });
  expect(await users.find(platformId, { email: ada.email })).toBeNull();
  expect(await kyc.current(platformId, { email })).toMatchObject({ kycRecordId });
  expect(await auditOfUsers(platformId)).toEqual([["users.changeEmail", externalUserId, "done"]]);
});

test("the same e-mail in another case, an unknown member id, or one of another platform changes nothing", async () => {
  const { platformId, externalUserId } = await submitted(ada);
  const before = await rowsOf("users", platformId);
  const again = { ...ada, email: "ADA@example.com" };
  expect(await users.changeEmail(platformId, again, by)).toEqual({ externalUserId });
  expect(await users.changeEmail(platformId, bob, by)).toBeNull();
  expect(await users.changeEmail(await platform(), { ...ada, email: bob.email }, by)).toBeNull();
  expect(await rowsOf("users", platformId)).toEqual(before);
});

test("a change or a submission that takes over a refused user's e-mail is audited under both users", async () => {
  const changed = await refused();
  const { externalUserId } = await submitted(bob, changed.platformId);
  await users.changeEmail(changed.platformId, { ...bob, email: ada.email }, by);
  expect(await users.find(changed.platformId, { email: ada.email })).toEqual({ externalUserId });
  const { taker, ...taken } = await withoutEmail();
  for (const [{ platformId, externalUserId: loser }, winner, operation] of [
    [changed, externalUserId, "users.changeEmail"],
    [taken, taker.externalUserId, "kyc.submit"],
  ] as const)
    expect((await auditOfUsers(platformId)).sort()).toEqual(
      [loser, winner].map((id) => [operation, id, "done"]).sort(),
    );
});

test("a user without an e-mail keeps the member id, the records and the data key, and gets another e-mail", async () => {
  const { platformId, externalUserId } = await withoutEmail();
  const shown = await world.userAdmin.show(platformId, { externalUserId });
  expect(shown).toMatchObject({ records: [{ resolution: "refused" }] });
  expect(await users.find(platformId, { memberId: "ada" })).toEqual({ externalUserId });
  await world.userAdmin.relink(platformId, externalUserId, { memberId: "augusta" });
  const augusta = { memberId: "augusta", email: "augusta@example.com" };
  expect((await submitted(augusta, platformId)).externalUserId).toBe(externalUserId);
  expect(await users.find(platformId, { email: augusta.email })).toEqual({ externalUserId });
});

test("an import does not change a user without an e-mail", async () => {
  const { platformId } = await withoutEmail();
  const outcomes = await world.userAdmin.import(platformId, [{ ...ada, externalUserId: "usr_minted" }], by);
  expect(outcomes).toEqual([{ outcome: "taken", field: "memberId" }]);
});

test("a user without an e-mail can be erased", async () => {
  const { platformId, externalUserId } = await withoutEmail();
  await erasures.request(platformId, externalUserId);
  await expect(users.changeEmail(platformId, ada, by)).rejects.toMatchObject({
    code: "USER_ERASURE_PENDING",
  });
  await expect.poll(() => erasures.eraseDue(100)).toBe(1);
  expect(await users.find(platformId, { memberId: "ada" })).toBeNull();
});

test("an approval reports once that the user has no e-mail", async () => {
  const { platformId } = await withoutEmail();
  const record = await kyc.current(platformId, { memberId: "ada" });
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
