import { isReversal, type KycVerdict } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { kycAdmin } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { aCaller, answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { kyc, platform, urls, database } = await makeWorld();
const { rowsOf } = reader(urls.adminUrl);
const admin = kycAdmin(database, { leaseSeconds: 30, keys, names: async () => [] });
const explanation = {
  reasons: [{ code: "DOCUMENT_EXPIRED" as const, field: "/documentExpiryDate" }],
  final: true,
};
const restricted = ["WATCH_LIST_MATCH" as const];

async function created() {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  return { platformId, record };
}

describe("a verdict", () => {
  test("resolves the record with one history row, and is no longer due if it is final", async () => {
    const { platformId, record } = await created();
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_1"));

    const state = {
      resolution: "answered",
      status: "APPROVED",
      subStatus: "approved",
      cardAccountId: "acct_1",
      revision: 1,
    };
    expect(stored).toEqual({ approvedWithoutEmail: false, before: record, record: { ...record, ...state } });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "answered", due_at: null, lease_until: null });
    expect(row?.answered_at).toBeInstanceOf(Date);
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission", resolution: "unresolved", record_id: record.kycRecordId },
      { source: "provider", status: "APPROVED", sub_status: "approved", card_account_id: "acct_1" },
    ]);
  });

  test("that is not final keeps the record due for another query", async () => {
    for (const subStatus of ["pending_approval", "not_submitted", "on_holiday"]) {
      const { platformId, record } = await created();
      await kyc.storeVerdict(platformId, record, answered(subStatus));
      const [row] = await rowsOf("kyc_records", platformId);
      expect(row).toMatchObject({ resolution: "answered", step: "ask", lease_until: null });
      expect(row?.due_at).toBeInstanceOf(Date);
    }
  });

  test("is returned by a replay", async () => {
    const { platformId, record } = await created();
    const stored = await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await kyc.createOrReplay(platformId, aRequest())).toEqual({
      kind: "replay",
      record: stored.record,
    });
  });

  test("that refuses the submission resolves the record without a status", async () => {
    const { platformId, record } = await created();
    const { record: stored } = await kyc.storeVerdict(platformId, record, { outcome: "refused" });
    expect(stored).toMatchObject({ resolution: "refused", status: null, subStatus: null });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ due_at: null });
  });

  test.each<KycVerdict>([
    { outcome: "refused", explanation, restricted },
    { ...answered("rejected"), explanation, restricted },
  ])("with reasons stores them with the verdict: $outcome", async (verdict) => {
    const { platformId, record } = await created();
    const { record: stored } = await kyc.storeVerdict(platformId, record, verdict);
    expect(stored).toMatchObject({ explanation });
    expect(await kyc.createOrReplay(platformId, aRequest())).toEqual({ kind: "replay", record: stored });
    const read = await kyc.history(platformId, record.kycRecordId);
    expect(read).toMatchObject({ record: stored, history: [{ explanation: null }, { explanation }] });
    expect(JSON.stringify(read)).not.toContain("WATCH_LIST");
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { explanation: null, restricted_reasons: [] },
      { explanation, restricted_reasons: restricted },
    ]);
  });

  test("with reasons, from an event or an operator, stores them too", async () => {
    const first = await created();
    const { kycRecordId: reference, externalUserId: userReference } = first.record;
    const rejected = { ...answered("rejected"), explanation, restricted };
    await kyc.recordProviderUpdate({ reference, userReference }, rejected);
    expect(await rowsOf("kyc_history", first.platformId)).toMatchObject([
      { source: "submission" },
      { source: "event", explanation, restricted_reasons: restricted },
    ]);

    const second = await created();
    await admin.resolve(
      second.record.kycRecordId,
      { decision: { outcome: "refused", explanation } },
      aCaller,
    );
    expect(await admin.show(second.record.kycRecordId)).toMatchObject({
      explanation,
      history: [{ explanation: null }, { source: "person", explanation }],
    });
  });

  test("without reasons stores SQL's NULL", async () => {
    const { platformId, record } = await created();
    await kyc.storeVerdict(platformId, record, { outcome: "refused" });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "refused", explanation: null });
    const kinds = await withConnection(urls.adminUrl, (client) =>
      client.query("select jsonb_typeof(explanation) as kind from kyc_history where record_id = $1", [
        record.kycRecordId,
      ]),
    );
    expect(kinds.rows).toEqual([{ kind: null }, { kind: null }]);
  });

  test("with an unmapped raw value stores it, and leaves the status unchanged", async () => {
    const { platformId, record } = await created();
    const { record: stored } = await kyc.storeVerdict(platformId, record, answered("on_holiday"));
    expect(stored).toMatchObject({ resolution: "answered", status: null, subStatus: "on_holiday" });
  });

  test("of an attempt that no longer owns the record changes nothing", async () => {
    const { platformId, record } = await created();
    const late = { ...record, attempt: 2 };
    expect(await kyc.storeVerdict(platformId, late, answered("approved"))).toEqual({
      before: record,
      record,
    });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ resolution: "unresolved" });
    expect(row?.due_at).toBeInstanceOf(Date);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(1);
  });

  test("that is older, repeated, or pending after a final verdict changes nothing", async () => {
    const { platformId, record } = await created();
    const { record: stored } = await kyc.storeVerdict(platformId, record, answered("approved", "acct_1", 3));
    for (const verdict of [
      answered("rejected", null, 2),
      answered("rejected", null, 3),
      answered("pending_approval", null, 4),
    ]) {
      expect((await kyc.storeVerdict(platformId, record, verdict)).record).toEqual(stored);
    }
    expect((await kyc.storeVerdict(platformId, record, { outcome: "refused" })).record).toEqual(stored);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("that reverses a final verdict with a later decision is applied, with a history row", async () => {
    const { platformId, record } = await created();
    await kyc.storeVerdict(platformId, record, answered("approved", "acct_1", 1));
    const { before, record: stored } = await kyc.storeVerdict(
      platformId,
      record,
      answered("rejected", null, 2),
    );
    expect(stored).toMatchObject({ status: "REJECTED", cardAccountId: "acct_1", revision: 2 });
    expect(isReversal(before, stored)).toBe(true);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(3);
  });

  test("stores any integer as its revision", async () => {
    const { platformId, record } = await created();
    const last = Number.MAX_SAFE_INTEGER;
    await kyc.storeVerdict(platformId, record, answered("pending_approval", null, Date.now()));
    const { record: stored } = await kyc.storeVerdict(platformId, record, answered("approved", null, last));
    expect(stored.revision).toBe(last);
    expect((await kyc.latest(platformId, { memberId: "member-1" }))?.revision).toBe(last);
  });

  test("that is stored 20 times concurrently is applied once", async () => {
    const { platformId, record } = await created();
    const verdict = answered("approved");
    const stored = await Promise.all(
      Array.from({ length: 20 }, () => kyc.storeVerdict(platformId, record, verdict)),
    );
    expect(new Set(stored.map(({ record: { status } }) => status))).toEqual(new Set(["APPROVED"]));
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("from an event resolves the record, and the attempt's later answer changes nothing", async () => {
    const { platformId, record } = await created();
    const reference = { reference: record.kycRecordId, userReference: record.externalUserId };
    const change = await kyc.recordProviderUpdate(reference, answered("approved", "acct_1", 2));
    expect(change).toMatchObject({ before: record, record: { status: "APPROVED", revision: 2 } });
    for (const verdict of [answered("pending_approval", null, 1), answered("approved", "acct_1", 2)]) {
      expect((await kyc.storeVerdict(platformId, record, verdict)).record).toEqual(change?.record);
      expect(await kyc.recordProviderUpdate(reference, verdict)).toMatchObject({ record: change?.record });
    }
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission" },
      { source: "event" },
    ]);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ due_at: null });
  });

  test("of an unknown reference or user is null", async () => {
    const { platformId, record } = await created();
    const reference = { reference: record.kycRecordId, userReference: record.externalUserId };
    expect(
      await kyc.recordProviderUpdate({ ...reference, reference: "kyc_none" }, answered("approved")),
    ).toBeNull();
    expect(
      await kyc.recordProviderUpdate({ ...reference, userReference: "usr_other" }, answered("approved")),
    ).toBeNull();
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(1);
  });

  test("for another platform's record finds no record", async () => {
    const { record } = await created();
    await expect(kyc.storeVerdict(await platform(), record, answered("approved"))).rejects.toThrow(
      "no such KYC record",
    );
  });
});
