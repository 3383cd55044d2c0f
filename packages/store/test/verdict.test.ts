import { describe, expect, test } from "vitest";
import { reader } from "./rows.ts";
import { aClaim, answered, makeWorld } from "./world.ts";

const { kyc, platform, urls } = await makeWorld();
const { rowsOf } = reader(urls.adminUrl);

async function claimed() {
  const platformId = await platform();
  const { record } = await kyc.claim(platformId, aClaim());
  return { platformId, record };
}

describe("a verdict", () => {
  test("settles the record, keeps one history row, and is not due any more", async () => {
    const { platformId, record } = await claimed();
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_1"));

    const state = {
      settlement: "answered",
      status: "APPROVED",
      subStatus: "approved",
      cardAccountId: "acct_1",
    };
    expect(stored).toEqual({ ...record, ...state });
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ settlement: "answered", due_at: null, lease_until: null });
    expect(row?.answered_at).toBeInstanceOf(Date);
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission", settlement: "unsettled", record_id: record.kycRecordId },
      { source: "provider", status: "APPROVED", sub_status: "approved", card_account_id: "acct_1" },
    ]);
  });

  test("is what a replay shows", async () => {
    const { platformId, record } = await claimed();
    const stored = await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await kyc.claim(platformId, aClaim())).toEqual({ kind: "replay", record: stored });
  });

  test("of refusal settles the record without a status", async () => {
    const { platformId, record } = await claimed();
    const stored = await kyc.storeVerdict(platformId, record, { outcome: "refused" });
    expect(stored).toMatchObject({ settlement: "refused", status: null, subStatus: null });
  });

  test("with a raw value that nobody has mapped passes it, and leaves the status alone", async () => {
    const { platformId, record } = await claimed();
    const stored = await kyc.storeVerdict(platformId, record, answered("on_holiday"));
    expect(stored).toMatchObject({ settlement: "answered", status: null, subStatus: "on_holiday" });
  });

  test("of an attempt that no longer owns the record changes nothing", async () => {
    const { platformId, record } = await claimed();
    const late = { kycRecordId: record.kycRecordId, attempt: 2 };
    expect(await kyc.storeVerdict(platformId, late, answered("approved"))).toEqual(record);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(1);
  });

  test("for a settled record changes nothing", async () => {
    const { platformId, record } = await claimed();
    const stored = await kyc.storeVerdict(platformId, record, answered("rejected"));
    expect(await kyc.storeVerdict(platformId, record, answered("approved"))).toEqual(stored);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("that comes 20 times at once is stored once", async () => {
    const { platformId, record } = await claimed();
    const verdict = answered("approved");
    const stored = await Promise.all(
      Array.from({ length: 20 }, () => kyc.storeVerdict(platformId, record, verdict)),
    );
    expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(["APPROVED"]));
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("for another platform's record finds none", async () => {
    const { record } = await claimed();
    await expect(kyc.storeVerdict(await platform(), record, answered("approved"))).rejects.toThrow(
      "no such KYC record",
    );
  });
});
