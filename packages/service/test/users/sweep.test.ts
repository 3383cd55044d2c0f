import { expect, test } from "vitest";
import { rowsRead } from "../support/rows-read.ts";
import { delivered, makeWebhookWorld } from "../support/webhooks.ts";
import { answered, aRequest } from "../support/world.ts";

const world = await makeWebhookWorld({ maxConnections: 1 });
const { admin, database, holds, kyc, platform, records, set, submitted, urls } = world;
const { request, eraseDue, sweep } = world.erasures;
const tables = [
  ...["users", "kyc_records", "kyc_history", "provider_steps", "idempotency_keys", "holds"],
  ...["kyc_attempts", "record_assignments", "record_notes"],
  ...["webhook_events", "webhook_deliveries", "webhook_attempts"],
];
const countsOf = async (platformId: string) => {
  const counts: Record<string, number> = {};
  for (const table of tables)
    counts[table] = (await admin(`select from ${table} where platform_id = $1`, [platformId])).length;
  return counts;
};

/** A user with a rejected record, whose change was delivered, and who was erased some days ago. */
async function erasedUser(daysAgo: number) {
  const platformId = await platform();
  await world.endpoint(platformId);
  const { record } = await kyc.createOrReplay(platformId, { ...aRequest(), idempotencyKey: "k" });
  await kyc.keepStep(platformId, record, "create", { id: "holder_1" });
  const report = {
    step: "send",
    outcome: "answered",
    reason: null,
    milliseconds: 9,
    by: "submission",
  } as const;
  await kyc.storeVerdict(platformId, record, answered("rejected"), report);
  await records.assign(record.kycRecordId, await world.person());
  await world.deliverAll(delivered);
  await request(platformId, record.externalUserId);
  await eraseDue(10);
  await admin("update users set erased_at = now() - $2 * interval '1 day' where platform_id = $1", [
    platformId,
    daysAgo,
  ]);
  return { platformId, ...record };
}
const empty = Object.fromEntries(tables.map((table) => [table, 0]));

test("a user who was erased long ago is deleted with all records, their history and their events", async () => {
  const { platformId } = await erasedUser(31);
  const recent = await erasedUser(29);
  const kept = await countsOf(recent.platformId);
  expect(kept).toMatchObject({
    users: 1,
    kyc_records: 1,
    kyc_history: 2,
    kyc_attempts: 1,
    record_assignments: 1,
    webhook_events: 2,
    webhook_attempts: 2,
  });
  expect(await sweep(30, 10)).toBe(1);
  expect(await countsOf(platformId)).toEqual(empty);
  expect(await countsOf(recent.platformId)).toEqual(kept);
  expect(await sweep(30, 10)).toBe(0);
});

test("a user who is not erased is never swept", async () => {
  const { platformId, record } = await submitted();
  await kyc.storeVerdict(platformId, record, answered("rejected"));
  await admin("update users set created_at = '2000-01-01', erase_requested_at = '2000-01-01'");
  expect(await sweep(30, 10)).toBe(0);
  expect(await countsOf(platformId)).toMatchObject({ users: 1, kyc_records: 1 });
});

test("a hold, a file that is left and a running attempt delay the sweep of a user, not of others", async () => {
  const held = await erasedUser(40);
  const withFile = await erasedUser(39);
  const leased = await erasedUser(38);
  const other = await erasedUser(37);
  const placed = await holds.place(held.platformId, { kycRecordId: held.kycRecordId });
  await admin(
    `set cardbridge.platform = '${withFile.platformId}';
     insert into files (id, platform_id, user_id, purpose, content_type, blob_name, expires_at)
     values ('file_1', '${withFile.platformId}', '${withFile.externalUserId}', 'selfie', 'image/jpeg', 'b', now())`,
  );
  const lease = (until: string) => set(leased.kycRecordId, `lease_until = now() + interval '${until}'`);
  await lease("1 hour");
  expect(await sweep(30, 1)).toBe(1);
  expect(await countsOf(other.platformId)).toEqual(empty);
  expect(await sweep(30, 10)).toBe(0);
  await lease("-1 second");
  await admin(`set cardbridge.platform = '${withFile.platformId}'; delete from files`);
  expect(await sweep(30, 10)).toBe(2);
  await holds.lift(held.platformId, placed?.holdId ?? "", "claim:ada");
  expect(await sweep(30, 10)).toBe(1);
  expect(await countsOf(held.platformId)).toEqual(empty);
});

test("the foreign keys refuse to delete a held record, whatever a function does", async () => {
  const { platformId, kycRecordId } = await erasedUser(40);
  await holds.place(platformId, { kycRecordId });
  await admin("delete from webhook_events where platform_id = $1", [platformId]);
  await admin("delete from kyc_history where platform_id = $1", [platformId]);
  await expect(admin("delete from kyc_records where id = $1", [kycRecordId])).rejects.toMatchObject({
    constraint: "holds_record",
  });
});

test("a sweep reads a few rows for each user, however many there are without statistics", async () => {
  // Plans that the empty tables led to must not stay.
  for (let call = 0; call < 10; call += 1) await sweep(30, 10);
  const platformId = await platform();
  await admin(
    `insert into users (id, platform_id, erase_requested_at, erased_at, imported)
     select 'usr_' || n, $1, now(), now() - n * interval '1 minute', false from generate_series(1, 50000) as n`,
    [platformId],
  );
  await admin(
    `insert into kyc_records (id, platform_id, user_id, resolution, attempt)
     select 'kyc_' || n, $1, 'usr_' || n, 'refused', 1 from generate_series(1, 50000) as n`,
    [platformId],
  );
  await admin(
    `insert into kyc_history (platform_id, record_id, source, resolution)
     select $1, 'kyc_' || n, 'submission', 'refused' from generate_series(1, 50000) as n`,
    [platformId],
  );
  const read = () => rowsRead(database, urls.adminUrl, tables);
  const before = await read();
  expect(await sweep(30, 100)).toBe(100);
  expect((await read()) - before).toBeLessThan(5_000);
});
