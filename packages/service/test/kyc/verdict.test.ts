import { isReversal, type KycRecord, type KycVerdict } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { admin, kyc, platform, records, rowsOf, submitted } = await makeWorld();
const explanation = {
  reasons: [{ code: "DOCUMENT_EXPIRED" as const, field: "/documentExpiryDate" }],
  final: true,
};
const restricted = ["WATCH_LIST_MATCH" as const];
const refused: KycVerdict = { outcome: "refused" };
const sourcesOf = async (platformId: string) =>
  (await rowsOf("kyc_history", platformId)).map(({ source }) => source);

/** A record as it is stored after its approval. */
const asApproved = (record: KycRecord | undefined) => ({ ...record, approvedAt: expect.any(Date) });

describe("a verdict", () => {
  test("resolves the record with one history row, and is no longer due if it is final", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_1"));

    const state = {
      resolution: "answered",
      status: "APPROVED",
      subStatus: "approved",
      cardAccountId: "acct_1",
      revision: 1,
    };
    expect(stored).toEqual({ approvedWithoutEmail: false, before: record, record: { ...record, ...state } });
    const decided = { resolution: "answered", due_at: null, lease_until: null };
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { ...decided, answered_at: expect.any(Date) },
    ]);
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission", resolution: "unresolved", record_id: kycRecordId },
      { source: "provider", status: "APPROVED", sub_status: "approved", card_account_id: "acct_1" },
    ]);
    expect(await kyc.createOrReplay(platformId, aRequest())).toEqual({
      kind: "replay",
      record: asApproved(stored.record),
    });
  });

  test.each([
    { subStatus: "pending_approval", status: "PENDING_APPROVAL" },
    { subStatus: "not_submitted", status: "PENDING" },
    { subStatus: "on_holiday", status: null },
  ])("that is not final keeps the record due for another query: $subStatus", async (example) => {
    const { platformId, record } = await submitted();
    const { record: stored } = await kyc.storeVerdict(platformId, record, answered(example.subStatus));
    expect(stored).toMatchObject({ resolution: "answered", ...example });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { resolution: "answered", step: "ask", due_at: expect.any(Date), lease_until: null },
    ]);
  });

  test("that refuses the submission resolves the record without a status, and stores SQL's NULL as its reasons", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    const { record: stored } = await kyc.storeVerdict(platformId, record, refused);
    expect(stored).toMatchObject({ resolution: "refused", status: null, subStatus: null });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([{ due_at: null, explanation: null }]);
    const kinds = "select jsonb_typeof(explanation) as kind from kyc_history where record_id = $1";
    expect(await admin(kinds, [kycRecordId])).toEqual([{ kind: null }, { kind: null }]);
  });

  test.each<KycVerdict>([
    { ...refused, explanation, restricted },
    { ...answered("rejected"), explanation, restricted },
  ])("with reasons stores them with the verdict: $outcome", async (verdict) => {
    const { platformId, record, kycRecordId } = await submitted();
    const { record: stored } = await kyc.storeVerdict(platformId, record, verdict);
    expect(stored).toMatchObject({ explanation });
    expect(await kyc.createOrReplay(platformId, aRequest())).toEqual({ kind: "replay", record: stored });
    const read = await kyc.history(platformId, kycRecordId);
    expect(read).toMatchObject({ record: stored, history: [{ explanation: null }, { explanation }] });
    expect(JSON.stringify(read)).not.toContain("WATCH_LIST");
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { explanation: null, restricted_reasons: [] },
      { explanation, restricted_reasons: restricted },
    ]);
  });

  test("with reasons, from an event or an operator, stores them too", async () => {
    const { platformId, about } = await submitted();
    await kyc.recordProviderUpdate(about, { ...answered("rejected"), explanation, restricted });
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission" },
      { source: "event", explanation, restricted_reasons: restricted },
    ]);
    const { kycRecordId } = await submitted();
    await records.resolve(kycRecordId, { decision: { outcome: "refused", explanation } });
    expect(await records.show(kycRecordId)).toMatchObject({
      explanation,
      history: [{ explanation: null }, { source: "person", explanation }],
    });
  });

  test("of an attempt that no longer owns the record changes nothing", async () => {
    const { platformId, record } = await submitted();
    const late = { ...record, attempt: 2 };
    const unchanged = { before: record, record };
    expect(await kyc.storeVerdict(platformId, late, answered("approved"))).toEqual(unchanged);
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { resolution: "unresolved", due_at: expect.any(Date) },
    ]);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(1);
  });

  test("that is older, repeated, or pending after a final verdict changes nothing", async () => {
    const { platformId, record } = await submitted();
    const { record: stored } = await kyc.storeVerdict(platformId, record, answered("approved", "acct_1", 3));
    const others = [
      answered("rejected", null, 2),
      answered("rejected", null, 3),
      answered("pending_approval", null, 4),
      refused,
    ];
    for (const verdict of others)
      expect((await kyc.storeVerdict(platformId, record, verdict)).record).toEqual(asApproved(stored));
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("that reverses a final verdict with a later decision is applied, with a history row", async () => {
    const { platformId, record } = await submitted();
    await kyc.storeVerdict(platformId, record, answered("approved", "acct_1", 1));
    const later = answered("rejected", null, 2);
    const { before, record: stored } = await kyc.storeVerdict(platformId, record, later);
    expect(stored).toMatchObject({ status: "REJECTED", cardAccountId: "acct_1", revision: 2 });
    expect(isReversal(before, stored)).toBe(true);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(3);
  });

  test("stores any integer as its revision", async () => {
    const { platformId, record } = await submitted();
    const last = Number.MAX_SAFE_INTEGER;
    await kyc.storeVerdict(platformId, record, answered("pending_approval", null, Date.now()));
    const { record: stored } = await kyc.storeVerdict(platformId, record, answered("approved", null, last));
    expect(stored.revision).toBe(last);
    expect((await kyc.current(platformId, { memberId: "member-1" }))?.revision).toBe(last);
  });

  test("that is stored 20 times concurrently is applied once", async () => {
    const { platformId, record } = await submitted();
    const store = () => kyc.storeVerdict(platformId, record, answered("approved"));
    const stored = await Promise.all(Array.from({ length: 20 }, store));
    expect(new Set(stored.map(({ record: { status } }) => status))).toEqual(new Set(["APPROVED"]));
    expect(await sourcesOf(platformId)).toEqual(["submission", "provider"]);
  });

  test("from an event resolves the record, and the attempt's later answer changes nothing", async () => {
    const { platformId, record, about } = await submitted();
    const change = await kyc.recordProviderUpdate(about, answered("approved", "acct_1", 2));
    expect(change).toMatchObject({ before: record, record: { status: "APPROVED", revision: 2 } });
    for (const verdict of [answered("pending_approval", null, 1), answered("approved", "acct_1", 2)]) {
      const later = await kyc.storeVerdict(platformId, record, verdict);
      expect(later.record).toEqual(asApproved(change?.record));
      expect(await kyc.recordProviderUpdate(about, verdict)).toMatchObject({
        record: asApproved(change?.record),
      });
    }
    expect(await sourcesOf(platformId)).toEqual(["submission", "event"]);
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([{ due_at: null }]);
  });

  test("of an unknown reference, user or platform finds no record", async () => {
    const { platformId, record, about } = await submitted();
    for (const other of [{ reference: "kyc_none" }, { userReference: "usr_other" }])
      expect(await kyc.recordProviderUpdate({ ...about, ...other }, answered("approved"))).toBeNull();
    const foreign = kyc.storeVerdict(await platform(), record, answered("approved"));
    await expect(foreign).rejects.toThrow("no such KYC record");
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(1);
  });
});
