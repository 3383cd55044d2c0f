import { toCurrentKyc } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { answered, aRequest, makeWorld, someone } from "../support/world.ts";

const { admin, count, erasures, holds, kyc, platform, rowsOf, submitted, users } = await makeWorld({
  maxConnections: 20,
});
const ada = { memberId: "member-1" };
const expired = { documentExpiryDate: "2020-05-01" };
/** The body of a renewal, which differs from the approved one and from any other renewal. */
const renewal = (documentNumber = "P7654321", changes = {}) => aRequest({ documentNumber, ...changes });

/** Submits and approves a record whose document has expired. */
async function approved(changes: object = expired) {
  const one = await submitted(changes);
  await kyc.storeVerdict(one.platformId, one.record, answered("approved", "acct_1"));
  return one;
}

/** Starts a renewal of an approved user. */
async function renewing() {
  const standing = await approved();
  const { platformId } = standing;
  const created = await kyc.createOrReplay(platformId, renewal());
  return { platformId, standing, renewal: created.record, externalUserId: standing.externalUserId };
}

async function read(platformId: string) {
  const current = await kyc.current(platformId, ada);
  return current && toCurrentKyc(current);
}

describe("a renewal", () => {
  test("is a record of its own, which names the approval that it renews", async () => {
    const { platformId, standing, renewal } = await renewing();
    expect(renewal).toMatchObject({
      externalUserId: standing.externalUserId,
      renews: standing.kycRecordId,
      resolution: "unresolved",
      documentExpiry: "valid",
    });
    const { kycRecordId } = renewal;
    expect(await kyc.loadAttempt(platformId, { kycRecordId, attempt: 1 })).toMatchObject({
      record: { renews: standing.kycRecordId },
    });
    expect((await kyc.history(platformId, kycRecordId))?.record).toMatchObject({
      renews: standing.kycRecordId,
    });
  });

  test("of 20 different bodies at once is one record, with which the others conflict", async () => {
    const { platformId } = await approved();
    const all = Array.from({ length: 20 }, (_, number) =>
      kyc.createOrReplay(platformId, renewal(`P${number}`)).catch((error: unknown) => error),
    );
    const results = (await Promise.all(all)) as {
      kind?: string;
      code?: string;
      record: { kycRecordId: string };
    }[];
    const [created, ...others] = results.filter(({ kind }) => kind === "new");
    expect(others).toEqual([]);
    const { kycRecordId } = created?.record ?? {};
    for (const other of results.filter((one) => one !== created))
      expect(other).toMatchObject({ code: "KYC_ALREADY_SUBMITTED", details: { kycRecordId } });
    expect(await count("kyc_records", platformId)).toBe(2);
  });

  test("of 20 equal bodies at once is one record, which the others replay", async () => {
    const { platformId } = await approved();
    const all = Array.from({ length: 20 }, () => kyc.createOrReplay(platformId, renewal()));
    const results = await Promise.all(all);
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(new Set(results.map(({ record }) => record.kycRecordId)).size).toBe(1);
    expect(await count("kyc_records", platformId)).toBe(2);
  });

  test("is not started by the body of the approval, and has the preview's outcome", async () => {
    const standing = await approved();
    const { platformId } = standing;
    const equal = await kyc.createOrReplay(platformId, aRequest(expired));
    expect(equal).toMatchObject({ kind: "replay", record: { kycRecordId: standing.kycRecordId } });
    expect(await kyc.preview(platformId, renewal())).toEqual({ kind: "new" });
    const { record } = await kyc.createOrReplay(platformId, renewal());
    const conflict = { code: "KYC_ALREADY_SUBMITTED", details: { kycRecordId: record.kycRecordId } };
    await expect(kyc.preview(platformId, renewal("P1"))).rejects.toMatchObject(conflict);
    await expect(kyc.createOrReplay(platformId, renewal("P1"))).rejects.toMatchObject(conflict);
  });

  test("is a conflict that says so at a provider that cannot renew, and writes nothing", async () => {
    const { platformId, kycRecordId } = await approved();
    const request = { ...renewal(), renews: false };
    const conflict = {
      code: "KYC_ALREADY_SUBMITTED",
      details: { kycRecordId, violations: [{ rule: "renewal-not-supported" }] },
    };
    await expect(kyc.preview(platformId, request)).rejects.toMatchObject(conflict);
    await expect(kyc.createOrReplay(platformId, request)).rejects.toMatchObject(conflict);
    expect(await count("kyc_records", platformId)).toBe(1);
  });

  test("without a slot for the provider waits for a worker, which sends it as a renewal", async () => {
    const { platformId, kycRecordId } = await approved();
    const { record } = await kyc.createOrReplay(platformId, { ...renewal(), maxUnsent: 10 });
    expect(record).toMatchObject({ renews: kycRecordId });
    const leased = (await kyc.leaseDue(1_000)).find((one) => one.kycRecordId === record.kycRecordId);
    const attempt = leased && (await kyc.loadAttempt(platformId, leased));
    expect(attempt).toMatchObject({ step: "send", record: { renews: kycRecordId } });
  });
});

describe("a reading of an approved user", () => {
  const states = [
    { name: "unresolved", verdict: undefined, status: "PENDING" },
    { name: "in review", verdict: answered("pending_approval"), status: "PENDING_APPROVAL" },
    { name: "rejected", verdict: answered("rejected"), status: "REJECTED" },
    { name: "refused", verdict: { outcome: "refused" } as const, status: null },
  ];

  test.each(states)("gives the standing approval while the renewal is $name", async ({ verdict, status }) => {
    const { platformId, standing, renewal } = await renewing();
    if (verdict) await kyc.storeVerdict(platformId, renewal, verdict);
    const expected = {
      kycRecordId: standing.kycRecordId,
      status: "APPROVED",
      cardAccountId: "acct_1",
      documentExpiry: "expired",
      renews: null,
      renewal: { kycRecordId: renewal.kycRecordId, status },
    };
    expect(await read(platformId)).toMatchObject(expected);
    const byEmail = await kyc.current(platformId, { email: "ADA@example.com" });
    expect(byEmail && toCurrentKyc(byEmail)).toEqual(await read(platformId));
    expect(await kyc.history(platformId, renewal.kycRecordId)).toMatchObject({
      record: { kycRecordId: renewal.kycRecordId },
    });
  });

  test("gives the renewal after its approval, whose document counts from then on", async () => {
    const { platformId, renewal: first } = await renewing();
    await kyc.storeVerdict(platformId, first, answered("approved", "acct_1"));
    expect(await read(platformId)).toMatchObject({
      kycRecordId: first.kycRecordId,
      documentExpiry: "valid",
      renewal: null,
    });
    await expect(kyc.createOrReplay(platformId, renewal("P1"))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
      details: { kycRecordId: first.kycRecordId },
    });
  });

  test("gives the latest record after the provider revoked the approval", async () => {
    const { platformId, standing, renewal: first } = await renewing();
    await kyc.storeVerdict(platformId, first, answered("approved", "acct_1", 1));
    await kyc.recordProviderUpdate(
      { reference: first.kycRecordId, userReference: first.externalUserId },
      answered("rejected", null, 2),
    );
    expect(await read(platformId)).toMatchObject({
      kycRecordId: first.kycRecordId,
      status: "REJECTED",
      renewal: null,
    });
    const next = await kyc.createOrReplay(platformId, renewal("P1"));
    expect(next).toMatchObject({ kind: "new", record: { renews: null } });
    expect(await read(platformId)).toMatchObject({ kycRecordId: next.record.kycRecordId, status: "PENDING" });
    expect(standing.record.renews).toBeNull();
  });

  test("knows that an earlier version's approval was revoked", async () => {
    const { platformId, about, kycRecordId } = await approved();
    await admin("update kyc_records set approved_at = null where id = $1", [kycRecordId]);
    const created = await kyc.createOrReplay(platformId, renewal());
    await kyc.recordProviderUpdate(about, answered("rejected", null, 9));
    expect(await read(platformId)).toMatchObject({ kycRecordId: created.record.kycRecordId, renewal: null });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { id: kycRecordId, status: "REJECTED", approved_at: expect.any(Date) },
      { approved_at: null },
    ]);
  });
});

describe("after a declined renewal", () => {
  test.each([answered("rejected"), { outcome: "refused" } as const])(
    "the approval stands, and another body renews it again: $outcome",
    async (verdict) => {
      const { platformId, standing, renewal: first } = await renewing();
      await kyc.storeVerdict(platformId, first, verdict);
      const equal = await kyc.createOrReplay(platformId, renewal());
      expect(equal).toMatchObject({ kind: "replay", record: { kycRecordId: first.kycRecordId } });
      const again = await kyc.createOrReplay(platformId, renewal("P1"));
      expect(again).toMatchObject({ kind: "new", record: { renews: standing.kycRecordId } });
      expect(await read(platformId)).toMatchObject({
        kycRecordId: standing.kycRecordId,
        renewal: { kycRecordId: again.record.kycRecordId },
      });
    },
  );

  test("an equal body under a new key renews again", async () => {
    const { platformId, standing, renewal: first } = await renewing();
    await kyc.storeVerdict(platformId, first, answered("rejected"));
    const again = await kyc.createOrReplay(platformId, { ...renewal(), idempotencyKey: "key-2" });
    expect(again).toMatchObject({ kind: "new", record: { renews: standing.kycRecordId } });
  });
});

describe("the e-mail of a user with a standing approval", () => {
  test("changes by users/email alone, also after a declined renewal", async () => {
    const { platformId, renewal: first } = await renewing();
    await kyc.storeVerdict(platformId, first, answered("rejected"));
    const email = "ada.new@example.com";
    await expect(kyc.createOrReplay(platformId, renewal("P1", { email }))).rejects.toMatchObject({
      code: "USER_IDENTITY_CONFLICT",
      details: { violations: [{ path: ["email"] }] },
    });
    await users.changeEmail(platformId, { ...ada, email });
    expect(await kyc.createOrReplay(platformId, renewal("P1", { email }))).toMatchObject({ kind: "new" });
  });

  test("is not taken by another user after a declined renewal", async () => {
    const { platformId, renewal: first } = await renewing();
    await kyc.storeVerdict(platformId, first, answered("rejected"));
    const bob = aRequest({ ...someone("bob"), email: "ada@example.com" });
    await expect(kyc.createOrReplay(platformId, bob)).rejects.toMatchObject({
      code: "USER_IDENTITY_CONFLICT",
    });
  });
});

describe("the erasure of a user whose renewal is under way", () => {
  test("waits for its decision, and then clears what the records say about documents", async () => {
    const { platformId, externalUserId, renewal: first } = await renewing();
    await erasures.request(platformId, externalUserId);
    await expect(kyc.createOrReplay(platformId, renewal("P1"))).rejects.toMatchObject({
      code: "USER_ERASURE_PENDING",
    });
    expect(await erasures.eraseDue(10)).toBe(0);
    await kyc.storeVerdict(platformId, first, answered("approved", "acct_1"));
    expect(await read(platformId)).toMatchObject({ kycRecordId: first.kycRecordId, status: "APPROVED" });
    expect(await erasures.eraseDue(10)).toBe(1);
    expect(await read(platformId)).toBeNull();
    const cleared = { encrypted: null, document_expiry: null, document_check_at: null };
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([cleared, cleared]);
  });

  test("waits for a hold too, under which the renewal goes on", async () => {
    const { platformId, externalUserId, renewal: first } = await renewing();
    const hold = await holds.place(platformId, { externalUserId });
    await erasures.request(platformId, externalUserId);
    await kyc.storeVerdict(platformId, first, answered("rejected"));
    expect(await erasures.eraseDue(10)).toBe(0);
    expect(await read(platformId)).toMatchObject({ status: "APPROVED", renewal: { status: "REJECTED" } });
    await holds.lift(platformId, hold?.holdId ?? "", "claim:bob");
    expect(await erasures.eraseDue(10)).toBe(1);
  });
});

test("another platform's user with the same names has no renewal", async () => {
  await renewing();
  expect(await kyc.current(await platform(), ada)).toBeNull();
});
