import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { admin, database, kyc, platform, submitted } = await makeWorld({ maxConnections: 3 });

/** Reads every row that a submission may write. */
function rows(platformId: string): Promise<unknown> {
  const tables = ["users", "kyc_records", "kyc_history", "idempotency_keys", "audit_entries", "files"];
  const read = (table: string) =>
    admin(
      `select row_to_json(t)::text as row, xmin::text, xmax::text from ${table} t where platform_id = $1 order by 1`,
      [platformId],
    );
  return Promise.all(tables.map(read));
}

test("a preview writes and locks no rows, and the submission has the outcome that it reported", async () => {
  const platformId = await platform();
  const idempotencyKey = "key-1";
  const first = { ...aRequest(), idempotencyKey };
  const nothing = await rows(platformId);
  expect(await kyc.preview(platformId, first)).toEqual({ kind: "new" });
  expect(await rows(platformId)).toEqual(nothing);

  const { record } = await kyc.createOrReplay(platformId, first);
  const written = await rows(platformId);
  const equal = { ...aRequest(), idempotencyKey };
  expect(await kyc.preview(platformId, equal)).toEqual({ kind: "replay", record });
  const other = aRequest({ occupation: "Poet" });
  await expect(kyc.preview(platformId, { ...other, idempotencyKey })).rejects.toMatchObject({
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  await expect(kyc.preview(platformId, other)).rejects.toMatchObject({
    code: "KYC_ALREADY_SUBMITTED",
    details: { kycRecordId: record.kycRecordId },
  });
  expect(await rows(platformId)).toEqual(written);
});

test("a preview does not wait for submissions", async () => {
  const { platformId, record } = await submitted();
  await kyc.storeVerdict(platformId, record, answered("rejected"));
  const next = aRequest({ email: "new@example.com" });
  await database.asPlatform(platformId, async (tx) => {
    await tx.execute(sql`select id from users for update`);
    await tx.execute(sql`select id from kyc_records for update`);
    expect(await kyc.preview(platformId, next)).toEqual({ kind: "new" });
  });
  expect(await kyc.createOrReplay(platformId, next)).toMatchObject({ kind: "new" });
});
