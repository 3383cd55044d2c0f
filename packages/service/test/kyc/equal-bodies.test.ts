import type { CreateResult, KycVerdict, RecordRequest } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { answered, aRequest, makeWorld } from "../support/world.ts";

/* A body that equals one of the user's records, also an older one (G16). */
const { kyc, platform } = await makeWorld();

const poet = { occupation: "Poet" };
const refused: KycVerdict = { outcome: "refused" };

/** A user whose first submission was refused, and whose second has another body. */
async function userWithTwoRecords(verdict?: KycVerdict) {
  const platformId = await platform();
  const submit = async (request: RecordRequest, verdict?: KycVerdict) => {
    const result = await kyc.createOrReplay(platformId, request);
    if (verdict) await kyc.storeVerdict(platformId, result.record, verdict);
    return result;
  };
  const older = await submit({ ...aRequest(), idempotencyKey: "first" }, refused);
  const newer = await submit(aRequest(poet), verdict);
  return { platformId, submit, older, newer };
}

const idOf = ({ record }: CreateResult) => record.kycRecordId;

test.each<[string, KycVerdict | undefined]>([
  ["unresolved", undefined],
  ["in review", answered("pending_approval")],
  ["approved", answered("approved")],
  ["rejected", answered("rejected")],
  ["refused", refused],
])("the body of an older record replays it while the newer record is %s", async (_state, verdict) => {
  const { platformId, submit, older } = await userWithTwoRecords(verdict);
  const replay = { kind: "replay", record: { ...older.record, resolution: "refused" } };
  expect(await kyc.preview(platformId, aRequest())).toEqual(replay);
  expect(await submit(aRequest())).toEqual(replay);
});

test("with a new Idempotency-Key, the newer record decides on the body of an older, refused one", async () => {
  const { platformId, submit, newer } = await userWithTwoRecords();
  const again = { ...aRequest(), idempotencyKey: "second" };
  const conflict = { code: "KYC_ALREADY_SUBMITTED", details: { kycRecordId: idOf(newer) } };
  await expect(kyc.preview(platformId, again)).rejects.toMatchObject(conflict);
  await expect(submit(again)).rejects.toMatchObject(conflict);

  await kyc.storeVerdict(platformId, newer.record, answered("rejected"));
  expect(await kyc.preview(platformId, again)).toEqual({ kind: "new" });
  const newest = await submit(again);
  expect(newest.kind).toBe("new");
  expect(await submit(aRequest())).toEqual({ kind: "replay", record: newest.record });
});

test("the body of an older record that is approved later replays it, whatever the key", async () => {
  const { platformId, submit, older } = await userWithTwoRecords(answered("rejected"));
  await kyc.recordProviderUpdate(
    { reference: idOf(older), userReference: older.record.externalUserId },
    answered("approved"),
  );
  const again = { ...aRequest(), idempotencyKey: "second" };
  const replay = { kind: "replay", record: { kycRecordId: idOf(older), status: "APPROVED" } };
  expect(await kyc.preview(platformId, again)).toMatchObject(replay);
  expect(await submit(again)).toMatchObject(replay);
  // The key now belongs to that record.
  await expect(submit({ ...aRequest(poet), idempotencyKey: "second" })).rejects.toMatchObject({
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});
