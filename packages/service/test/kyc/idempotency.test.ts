import { describe, expect, test } from "vitest";
import { aCaller, answered, aRequest, makeWorld, someone } from "../support/world.ts";

const { admin, kyc, platform, rowsOf, submitted, userAdmin } = await makeWorld();
const keyed = (idempotencyKey: string, changes = {}) => ({ ...aRequest(changes), idempotencyKey });

describe("an idempotency key (G20)", () => {
  test("identifies the record that it was first sent with, whatever its state", async () => {
    const platformId = await platform();
    const submit = (key: string) => kyc.createOrReplay(platformId, keyed(key));
    const first = await submit("k1");
    expect(first.kind).toBe("new");
    expect(await submit("k1")).toEqual({ kind: "replay", record: first.record });
    const { record } = await kyc.storeVerdict(platformId, first.record, answered("rejected"));
    expect(await submit("k1")).toEqual({ kind: "replay", record });

    const second = await submit("k2");
    expect(second.kind).toBe("new");
    expect(await submit("k1")).toEqual({ kind: "replay", record });
    expect(await submit("k2")).toEqual({ kind: "replay", record: second.record });
  });

  test("with another body is rejected, and nothing is written", async () => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, keyed("k1"));
    await expect(kyc.createOrReplay(platformId, keyed("k1", someone("bob")))).rejects.toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await rowsOf("users", platformId)).toHaveLength(1);
    expect(await rowsOf("kyc_records", platformId)).toHaveLength(1);
  });

  test("that is used replays the record after an operator changed both identifiers, and writes no user", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, keyed("k1"));
    await userAdmin.relink(platformId, record.externalUserId, someone("bob"));
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({ kind: "replay", record });
    expect(await rowsOf("users", platformId)).toHaveLength(1);
  });

  test("belongs to its platform and its operation", async () => {
    const [one, two] = [await platform(), await platform()];
    await kyc.createOrReplay(one, keyed("k1"));
    expect((await kyc.createOrReplay(two, keyed("k1", { name: "Another" }))).kind).toBe("new");
    const elsewhere = { ...keyed("k1", someone("bob")), by: { ...aCaller, operation: "other" } };
    expect((await kyc.createOrReplay(one, elsewhere)).kind).toBe("new");
  });

  test("that is new is stored with the open record that an equal body replays", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    expect(await kyc.createOrReplay(platformId, keyed("late"))).toEqual({ kind: "replay", record });
    expect(await rowsOf("idempotency_keys", platformId)).toMatchObject([{ record_id: kycRecordId }]);
  });

  test("is not stored by a conflict: the same key works after the conflict", async () => {
    const { platformId, record } = await submitted();
    const submit = () => kyc.createOrReplay(platformId, keyed("k1", { name: "Other" }));
    await expect(submit()).rejects.toMatchObject({ code: "KYC_ALREADY_SUBMITTED" });
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    expect((await submit()).kind).toBe("new");
  });

  test("creates one record when it is sent 100 times concurrently", async () => {
    const platformId = await platform();
    const submit = () => kyc.createOrReplay(platformId, keyed("k1"));
    const results = await Promise.all(Array.from({ length: 100 }, submit));
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(new Set(results.map(({ record }) => record.kycRecordId)).size).toBe(1);
    expect(await rowsOf("idempotency_keys", platformId)).toHaveLength(1);
  });

  test("is deleted after 30 days at the earliest, and an equal body still replays the record", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, keyed("k1"));
    await admin("update idempotency_keys set created_at = now() - interval '29 days'");
    await kyc.pruneKeys(1, 1_000);
    expect(await rowsOf("idempotency_keys", platformId)).toHaveLength(1);
    await admin("update idempotency_keys set created_at = now() - interval '31 days'");
    await kyc.pruneKeys(30, 1_000);
    expect(await rowsOf("idempotency_keys", platformId)).toHaveLength(0);
    expect(await kyc.createOrReplay(platformId, keyed("k1"))).toEqual({ kind: "replay", record });
  });

  test("is deleted in batches, the oldest first", async () => {
    const platformId = await platform();
    for (const days of [40, 60, 50, 20]) {
      const { record } = await kyc.createOrReplay(platformId, keyed(`k${days}`, someone(days)));
      await admin("update idempotency_keys set created_at = now() - $2::interval where record_id = $1", [
        record.kycRecordId,
        `${days} days`,
      ]);
    }
    const age = "extract(day from now() - created_at)::int as days";
    const ages = async () =>
      (
        await admin(`select ${age} from idempotency_keys where platform_id = $1 order by 1`, [platformId])
      ).map(({ days }) => days);
    expect([await kyc.pruneKeys(35, 2), await ages()]).toEqual([2, [20, 40]]);
    expect([await kyc.pruneKeys(35, 2), await ages()]).toEqual([1, [20]]);
  });
});

test("reading finds a user's latest record by either identifier, and a record with its history", async () => {
  const { platformId, record, kycRecordId } = await submitted();
  await kyc.storeVerdict(platformId, record, answered("rejected"));
  const second = await submitted({ name: "Other" }, platformId);
  expect(await kyc.current(platformId, { memberId: "member-1" })).toMatchObject(second.record);
  expect(await kyc.current(platformId, { email: "ADA@example.com" })).toMatchObject(second.record);
  expect(await kyc.current(platformId, { memberId: "nobody" })).toBeNull();

  expect(await kyc.history(platformId, kycRecordId)).toMatchObject({
    record: { status: "REJECTED" },
    history: [
      { source: "submission", status: null, subStatus: null },
      { source: "provider", status: "REJECTED", subStatus: "rejected" },
    ],
  });
  const other = await platform();
  expect(await kyc.history(other, kycRecordId)).toBeNull();
  expect(await kyc.current(other, { memberId: "member-1" })).toBeNull();
});
