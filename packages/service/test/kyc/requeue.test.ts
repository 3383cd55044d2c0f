import { describe, expect, test } from "vitest";
import { requeueRecord } from "../../src/index.ts";
import { codeOf } from "../support/calls.ts";
import { answered, makeWorld } from "../support/world.ts";

const { kyc, ports, rowsOf, set, submitted } = await makeWorld();

const dueIds = async () => (await kyc.leaseDue(100)).map(({ kycRecordId }) => kycRecordId);

describe("an event without an order", () => {
  test("makes a decided record due once, and a repeated answer changes nothing", async () => {
    const { platformId, record, kycRecordId, about } = await submitted();
    const unordered = { ...answered("approved"), revision: null };
    const { record: decided } = await kyc.storeVerdict(platformId, record, unordered);
    expect(decided).toMatchObject({ status: "APPROVED", revision: 1 });

    await requeueRecord(ports, about);
    const [leased] = await kyc.leaseDue(100);
    const attempt = leased && (await kyc.loadAttempt(platformId, leased));
    if (!attempt) throw new Error("The record was not due.");
    expect(attempt).toMatchObject({ step: "ask", record: { kycRecordId } });
    const { record: same } = await kyc.storeVerdict(platformId, attempt.record, unordered);
    expect(same).toEqual(attempt.record);
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([{ due_at: null, lease_until: null }]);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("queries the provider once for a record that needs attention, which still needs it afterwards", async () => {
    const { platformId, record, kycRecordId, about } = await submitted();
    const old = "needs_attention_since = now(), created_at = now() - interval '2 days'";
    await set(kycRecordId, `lease_until = null, due_at = null, ${old}`);
    await requeueRecord(ports, about);
    expect(await dueIds()).toEqual([kycRecordId]);
    await kyc.reschedule(platformId, { ...record, attempt: 3 }, { step: "ask", notFound: 1, delayMs: 0 });
    const waiting = { due_at: null, needs_attention_since: expect.any(Date) };
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([waiting]);
  });

  test("finds the record also by the id of a step, and is refused with Retry-After while its attempt is in progress", async () => {
    const { platformId, record, kycRecordId, about } = await submitted();
    const step = { step: "create", id: `holder_${kycRecordId}` };
    expect(await codeOf(requeueRecord(ports, step))).toBe("KYC_RECORD_NOT_FOUND");
    await kyc.keepStep(platformId, record, "create", { id: step.id });
    const before = await rowsOf("kyc_records", platformId);
    for (const named of [step, about]) {
      await expect(requeueRecord(ports, named)).rejects.toMatchObject({
        code: "SERVICE_UNAVAILABLE",
        details: { retryAfterSeconds: 5 },
      });
    }
    expect(await rowsOf("kyc_records", platformId)).toEqual(before);
    await kyc.reschedule(platformId, record, { step: "ask", notFound: 0, delayMs: 3_600_000 });
    await requeueRecord(ports, step);
    expect(await dueIds()).toEqual([kycRecordId]);
  });

  test("that matches no record of that user is not found", async () => {
    const { about } = await submitted();
    const unknown = [
      { ...about, reference: "kyc_none" },
      { ...about, userReference: "usr_other" },
      { step: "upload", id: "holder_none" },
    ];
    for (const named of unknown)
      expect(await codeOf(requeueRecord(ports, named))).toBe("KYC_RECORD_NOT_FOUND");
  });
});
