import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { userAdmin } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { aCaller, answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { database, kyc, platform, urls } = await makeWorld();
const { rowsOf } = reader(urls.adminUrl);
const keyed = (key: string, changes = {}) => ({
  ...aRequest(changes),
  idempotencyKey: key,
});

describe("an idempotency key (G20)", () => {
  test("identifies the record that it was first sent with, whatever its state", async () => {
    const platformId = await platform();
    const first = await kyc.createOrReplay(platformId, keyed("k1"));
    expect(first.kind).toBe("new");
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({
      kind: "replay",
      record: first.record,
    });
    const { record } = await kyc.storeVerdict(platformId, first.record, answered("rejected"));
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({ kind: "replay", record });

    const second = await kyc.createOrReplay(platformId, keyed("k2"));
    expect(second.kind).toBe("new");
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({ kind: "replay", record });
    expect(await kyc.createOrReplay(platformId, keyed("k2"))).toEqual({
      kind: "replay",
      record: second.record,
    });
  });

  test("with another body is rejected, and nothing is written", async () => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, keyed("k1"));
    const other = keyed("k1", { memberId: "member-2", email: "other@example.com" });
    await expect(kyc.createOrReplay(platformId, other)).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await rowsOf("users", platformId)).toHaveLength(1);
    expect(await rowsOf("kyc_records", platformId)).toHaveLength(1);
  });

  test("that is used replays the record after an operator changed both identifiers, and writes no user", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, keyed("k1"));
    const names = { memberId: "member-2", email: "other@example.com" };
    await userAdmin(database, keys).relink(platformId, record.externalUserId, names);
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({ kind: "replay", record });
    expect(await rowsOf("users", platformId)).toHaveLength(1);
  });

  test("belongs to its platform and its operation", async () => {
    const [one, two] = [await platform(), await platform()];
    await kyc.createOrReplay(one, keyed("k1"));
    expect((await kyc.createOrReplay(two, keyed("k1", { name: "Another" }))).kind).toBe("new");
    const elsewhere = {
      ...aRequest({ memberId: "m2", email: "b@example.com" }),
      by: { ...aCaller, operation: "other" },
      idempotencyKey: "k1",
    };
    expect((await kyc.createOrReplay(one, elsewhere)).kind).toBe("new");
  });

  test("that is new is stored with the open record that an equal body replays", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, aRequest());
    expect(await kyc.createOrReplay(platformId, keyed("late"))).toEqual({ kind: "replay", record });
    expect(await rowsOf("idempotency_keys", platformId)).toMatchObject([{ record_id: record.kycRecordId }]);
  });

  test("is not stored by a conflict: the same key works after the conflict", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, aRequest());
    await expect(kyc.createOrReplay(platformId, keyed("k1", { name: "Other" }))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
    });
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    expect((await kyc.createOrReplay(platformId, keyed("k1", { name: "Other" }))).kind).toBe("new");
  });

  test("creates one record when it is sent 100 times concurrently", async () => {
    const platformId = await platform();
    const results = await Promise.all(
      Array.from({ length: 100 }, () => kyc.createOrReplay(platformId, keyed("k1"))),
    );
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(new Set(results.map(({ record }) => record.kycRecordId)).size).toBe(1);
    expect(await rowsOf("idempotency_keys", platformId)).toHaveLength(1);
  });

  test("is deleted after 30 days at the earliest, and an equal body still replays the record", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, keyed("k1"));
    const client = new Client(urls.adminUrl);
    await client.connect();
    await client.query("update idempotency_keys set created_at = now() - interval '29 days'");
    await kyc.pruneKeys(1, 1_000);
    expect(await rowsOf("idempotency_keys", platformId)).toHaveLength(1);
    await client.query("update idempotency_keys set created_at = now() - interval '31 days'");
    await kyc.pruneKeys(30, 1_000);
    expect(await rowsOf("idempotency_keys", platformId)).toHaveLength(0);
    await client.end();
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({ kind: "replay", record });
  });
});

test("old keys are deleted in batches, the oldest first", async () => {
  const platformId = await platform();
  const client = new Client(urls.adminUrl);
  await client.connect();
  for (const [key, days] of [
    ["k1", 40],
    ["k2", 60],
    ["k3", 50],
    ["k4", 20],
  ] as const) {
    const request = { ...aRequest({ memberId: key, email: `${key}@example.com` }), idempotencyKey: key };
    const { record } = await kyc.createOrReplay(platformId, request);
    await client.query("update idempotency_keys set created_at = now() - $2::interval where record_id = $1", [
      record.kycRecordId,
      `${days} days`,
    ]);
  }
  const ages = async () => {
    const { rows } = await client.query<{ days: number }>(
      "select extract(day from now() - created_at)::int as days from idempotency_keys where platform_id = $1 order by 1",
      [platformId],
    );
    return rows.map(({ days }) => days);
  };
  expect([await kyc.pruneKeys(35, 2), await ages()]).toEqual([2, [20, 40]]);
  expect([await kyc.pruneKeys(35, 2), await ages()]).toEqual([1, [20]]);
  await client.end();
});

describe("reading", () => {
  test("finds a user's latest record by either identifier, and a record with its history", async () => {
    const platformId = await platform();
    const first = await kyc.createOrReplay(platformId, aRequest());
    await kyc.storeVerdict(platformId, first.record, answered("rejected"));
    const second = await kyc.createOrReplay(platformId, aRequest({ name: "Other" }));
    expect(await kyc.latest(platformId, { memberId: "member-1" })).toEqual(second.record);
    expect(await kyc.latest(platformId, { email: "ADA@example.com" })).toEqual(second.record);
    expect(await kyc.latest(platformId, { memberId: "nobody" })).toBeNull();

    expect(await kyc.history(platformId, first.record.kycRecordId)).toMatchObject({
      record: { status: "REJECTED" },
      history: [
        { source: "submission", status: null, subStatus: null },
        { source: "provider", status: "REJECTED", subStatus: "rejected" },
      ],
    });
    const other = await platform();
    expect(await kyc.history(other, first.record.kycRecordId)).toBeNull();
    expect(await kyc.latest(other, { memberId: "member-1" })).toBeNull();
  });
});
