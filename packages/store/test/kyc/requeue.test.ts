import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { reader } from "../support/rows.ts";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { kyc, platform, urls } = await makeWorld();
const { rowsOf } = reader(urls.adminUrl);

async function created() {
  const platformId = await platform();
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  const { kycRecordId, externalUserId: userReference } = record;
  return { platformId, record, kycRecordId, about: { reference: kycRecordId, userReference } };
}

const set = (kycRecordId: string, assignment: string) =>
  withConnection(urls.adminUrl, (client) =>
    client.query(`update kyc_records set ${assignment} where id = $1`, [kycRecordId]),
  );
const dueIds = async () => (await kyc.leaseDue(100)).map(({ kycRecordId }) => kycRecordId);

describe("an event without an order", () => {
  test("makes a decided record due once, and a repeated answer changes nothing", async () => {
    const { platformId, record, kycRecordId, about } = await created();
    const unordered = { ...answered("approved"), revision: null };
    const { record: decided } = await kyc.storeVerdict(platformId, record, unordered);
    expect(decided).toMatchObject({ status: "APPROVED", revision: 1 });

    expect(await kyc.requeue(about)).toEqual({ kycRecordId, state: "due" });
    const [leased] = await kyc.leaseDue(100);
    const attempt = leased && (await kyc.loadAttempt(platformId, leased));
    if (!attempt) throw new Error("The record was not due.");
    expect(attempt).toMatchObject({ step: "ask", record: { kycRecordId } });
    const { record: same } = await kyc.storeVerdict(platformId, attempt.record, unordered);
    expect(same).toEqual(attempt.record);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({ due_at: null, lease_until: null });
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("queries the provider once for a record that needs attention, which still needs it afterwards", async () => {
    const { platformId, record, kycRecordId, about } = await created();
    await set(
      kycRecordId,
      "lease_until = null, due_at = null, needs_attention_since = now(), created_at = now() - interval '2 days'",
    );
    expect(await kyc.requeue(about)).toMatchObject({ state: "due" });
    expect(await dueIds()).toEqual([kycRecordId]);
    const attempt = { ...record, attempt: 2 };
    await kyc.reschedule(platformId, attempt, { step: "ask", notFound: 1, delayMs: 0 });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { due_at: null, needs_attention_since: expect.any(Date) },
    ]);
  });

  test("replaces a planned send with a query", async () => {
    const { platformId, record, about } = await created();
    await kyc.reschedule(platformId, record, { step: "send", notFound: 2, delayMs: 3_600_000 });
    expect(await kyc.requeue(about)).toMatchObject({ state: "due" });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([{ step: "ask", not_found: 0 }]);
    await dueIds();
  });

  test("does not change a record whose attempt is in progress", async () => {
    const { platformId, kycRecordId, about } = await created();
    const before = await rowsOf("kyc_records", platformId);
    expect(await kyc.requeue(about)).toEqual({ kycRecordId, state: "leased" });
    expect(await rowsOf("kyc_records", platformId)).toEqual(before);
  });

  test("finds the record by the id of a step", async () => {
    const { platformId, record, kycRecordId } = await created();
    const about = { step: "create", id: `holder_${kycRecordId}` };
    expect(await kyc.requeue(about)).toBeNull();
    await kyc.keepStep(platformId, record, "create", { id: about.id });
    expect(await kyc.requeue(about)).toEqual({ kycRecordId, state: "leased" });
    expect(await kyc.requeue({ ...about, step: "upload" })).toBeNull();
  });

  test("that matches no record of that user returns null", async () => {
    const { about } = await created();
    expect(await kyc.requeue({ ...about, reference: "kyc_none" })).toBeNull();
    expect(await kyc.requeue({ ...about, userReference: "usr_other" })).toBeNull();
  });
});
