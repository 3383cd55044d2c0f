import { expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { pruneWebhooks } from "../../src/index.ts";
import { delivered, makeWebhookWorld } from "../support/webhooks.ts";
import { answered } from "../support/world.ts";

const world = await makeWebhookWorld();
const { admin, holds, kyc, platform, submitted, urls } = world;
const { request, requestExpired, eraseDue } = world.erasures;

/** A user with a rejected record, whose erasure is not requested. */
async function resolvedUser() {
  const user = await submitted();
  await kyc.storeVerdict(user.platformId, user.record, answered("rejected"));
  return user;
}
const erasedAt = async (externalUserId: string) => {
  const [user] = await admin("select erased_at from users where id = $1", [externalUserId]);
  return user.erased_at;
};

test.each(["externalUserId", "kycRecordId"] as const)(
  "a requested erasure waits for a hold of a %s, and continues after its lift",
  async (name) => {
    const user = await resolvedUser();
    const { platformId, externalUserId } = user;
    const placed = await holds.place(platformId, { [name]: user[name] });
    expect(placed).toMatchObject({
      externalUserId,
      kycRecordId: name === "kycRecordId" ? user.kycRecordId : null,
      active: true,
      erasure: "none",
      placedBy: "claim:ada",
      liftedAt: null,
    });
    expect(await request(platformId, externalUserId)).toBe(true);
    expect(await eraseDue(10)).toBe(0);
    expect(await holds.list(platformId, { active: true })).toMatchObject([{ erasure: "requested" }]);
    const lifted = await holds.lift(platformId, placed?.holdId ?? "", "claim:bob");
    expect(lifted).toMatchObject({ active: false, liftedBy: "claim:bob", liftedAt: expect.any(String) });
    expect(await holds.lift(platformId, placed?.holdId ?? "", "claim:eve")).toEqual(lifted);
    expect(await holds.list(platformId, { active: true })).toEqual([]);
    expect(await eraseDue(10)).toBe(1);
  },
);

test("a hold ends at its time, and another hold of the user still counts", async () => {
  const { platformId, externalUserId, kycRecordId } = await resolvedUser();
  const until = "2999-01-31T12:00:00.000Z";
  await holds.place(platformId, { externalUserId, until });
  const other = await holds.place(platformId, { kycRecordId });
  await request(platformId, externalUserId);
  const listed = await holds.list(platformId, { externalUserId });
  expect(listed.map((hold) => hold.until)).toEqual([null, until]);
  await admin("update holds set until = now() where until is not null");
  expect(await eraseDue(10)).toBe(0);
  await holds.lift(platformId, other?.holdId ?? "", "claim:ada");
  expect(await eraseDue(10)).toBe(1);
});

test("a held user does not expire, and does not delay others", async () => {
  const held = await resolvedUser();
  const other = await resolvedUser();
  await holds.place(held.platformId, { externalUserId: held.externalUserId });
  await admin("update users set created_at = now() - interval '31 days'");
  await admin("update kyc_records set created_at = now() - interval '31 days'");
  expect(await requestExpired(30, 1)).toBe(1);
  expect(await requestExpired(30, 1)).toBe(0);
  await request(held.platformId, held.externalUserId);
  expect(await eraseDue(1)).toBe(1);
  expect(await erasedAt(other.externalUserId)).toEqual(expect.any(Date));
  expect(await erasedAt(held.externalUserId)).toBeNull();
});

test("an erased user can be held, and the hold says that it came after the erasure", async () => {
  const { platformId, externalUserId, kycRecordId } = await resolvedUser();
  await request(platformId, externalUserId);
  await eraseDue(10);
  expect(await holds.place(platformId, { kycRecordId })).toMatchObject({ erasure: "erased" });
});

test("there is no hold of an unknown user or record, or of another platform's", async () => {
  const { externalUserId, kycRecordId } = await resolvedUser();
  const other = await platform();
  for (const held of [
    { externalUserId },
    { kycRecordId },
    { externalUserId: "usr_x" },
    { kycRecordId: "kyc_x" },
  ])
    expect(await holds.place(other, held)).toBeNull();
  expect(await holds.lift(other, "hold_1", "claim:ada")).toBeNull();
  expect(await holds.list(other)).toEqual([]);
});

test("a hold that is placed while a worker erases is before the erasure or after it", async () => {
  for (let round = 0; round < 20; round += 1) {
    const { platformId, externalUserId } = await resolvedUser();
    await request(platformId, externalUserId);
    const [placed] = await Promise.all([holds.place(platformId, { externalUserId }), eraseDue(10)]);
    await eraseDue(10);
    const isErased = (await erasedAt(externalUserId)) !== null;
    expect(placed?.erasure).toBe(isErased ? "erased" : "requested");
  }
});

test("a worker that found a user before the hold does not erase after it", async () => {
  const { platformId, externalUserId } = await resolvedUser();
  await request(platformId, externalUserId);
  // The hold is not committed when the worker looks for users.
  await withConnection(urls.adminUrl, async (client) => {
    await client.query("begin");
    await client.query("select from users where id = $1 for key share", [externalUserId]);
    const hold = "'hold_raw', $1, $2, 'case-1', 'claim:ada'";
    await client.query(
      `insert into holds (id, platform_id, user_id, reference, placed_by) values (${hold})`,
      [platformId, externalUserId],
    );
    expect(await eraseDue(10)).toBe(0);
    await client.query("commit");
  });
  expect(await eraseDue(10)).toBe(0);
  expect(await erasedAt(externalUserId)).toBeNull();
});

async function prune(): Promise<void> {
  while ((await pruneWebhooks(world.ports, 30, 1)) > 0);
}

test("webhook events of held records outlive their retention, and other events do not", async () => {
  const platformId = await platform();
  const endpointId = await world.endpoint(platformId);
  const held = await world.record(platformId);
  await world.record(platformId);
  await world.deliverAll(delivered);
  const placed = await holds.place(platformId, { kycRecordId: held });
  await admin("update webhook_events set created_at = now() - interval '31 days' where platform_id = $1", [
    platformId,
  ]);
  await prune();
  const remaining = () =>
    admin("select record_id from webhook_deliveries where platform_id = $1", [platformId]);
  expect(await remaining()).toEqual([{ record_id: held }]);
  await world.endpoints.delete(platformId, endpointId);
  await prune();
  expect(await remaining()).toEqual([{ record_id: held }]);
  await holds.lift(platformId, placed?.holdId ?? "", "claim:ada");
  await prune();
  expect(await remaining()).toEqual([]);
  expect(await admin("select from webhook_endpoints where id = $1", [endpointId])).toEqual([]);
});
