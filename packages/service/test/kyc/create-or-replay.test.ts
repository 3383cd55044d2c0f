import type { KycSubmission } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { answered, aRequest, makeWorld, someone } from "../support/world.ts";

const { kyc, platform, count, rowsOf, submitted } = await makeWorld({ maxConnections: 20 });

describe("a submission", () => {
  test("of a new user creates the user, the record and its first history row", async () => {
    const platformId = await platform();
    const request = aRequest();
    const { kycRecordId, externalUserId } = request;
    const result = await kyc.createOrReplay(platformId, request);
    const unresolved = { resolution: "unresolved", status: null, subStatus: null, cardAccountId: null };
    expect(result).toMatchObject({
      kind: "new",
      record: { kycRecordId, externalUserId, ...unresolved, attempt: 1, createdAt: expect.any(Date) },
    });
    expect(await rowsOf("kyc_records", platformId)).toMatchObject([
      { answered_at: null, lease_until: expect.any(Date), due_at: expect.any(Date) },
    ]);
    const history = await rowsOf("kyc_history", platformId);
    expect(history).toMatchObject([{ source: "submission", resolution: "unresolved", status: null }]);
  });

  test("with an equal body in another form replays the record, with or without its key (G16)", async () => {
    const platformId = await platform();
    const documents = (suffix: string) => [
      { documentType: "BANK_STATEMENT" as const, fileUrl: `https://files.example.com/b.pdf${suffix}` },
      { documentType: "UTILITY_BILL" as const, fileUrl: "https://files.example.com/u.pdf" },
    ];
    const idempotencyKey = "key-1";
    const name = "Ren\u00e9e";
    const changes = { name, supportingDocuments: documents("?X-Amz-Date=1&X-Amz-Signature=a") };
    const { record } = await kyc.createOrReplay(platformId, { ...aRequest(changes), idempotencyKey });
    const supportingDocuments = documents("?X-Amz-Date=2&X-Amz-Signature=b").reverse();
    const again = aRequest({ name: name.normalize("NFD"), supportingDocuments });
    const fields = Object.entries(again.submission).reverse();
    const submission = Object.fromEntries(fields) as unknown as KycSubmission;
    for (const request of [again, { ...again, submission }, { ...again, idempotencyKey }])
      expect(await kyc.createOrReplay(platformId, request)).toEqual({ kind: "replay", record });
    expect(await count("kyc_records", platformId)).toBe(1);
  });

  test("with another body is rejected with the id of the open record", async () => {
    const { platformId, kycRecordId } = await submitted();
    await expect(kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
      details: { kycRecordId },
    });
    expect(await count("kyc_records", platformId)).toBe(1);
  });

  test.each([
    { name: "a rejection", verdict: answered("rejected") },
    { name: "a refusal", verdict: { outcome: "refused" } as const },
  ])("with another body after $name creates a new record of the same user", async ({ verdict }) => {
    const { platformId, record, kycRecordId, externalUserId } = await submitted();
    await kyc.storeVerdict(platformId, record, verdict);
    const poet = () => aRequest({ occupation: "Poet", email: "aDA@example.COM" });
    const second = await kyc.createOrReplay(platformId, poet());

    expect(second).toMatchObject({ kind: "new", record: { externalUserId } });
    expect(second.record.kycRecordId).not.toBe(kycRecordId);
    // The new record is now the latest.
    const replay = await kyc.createOrReplay(platformId, poet());
    expect(replay.record.kycRecordId).toBe(second.record.kycRecordId);
  });

  test("applies the policy of its request", async () => {
    const { platformId } = await submitted();
    const result = await kyc.createOrReplay(platformId, { ...aRequest(), decide: () => "submit" });
    expect(result.kind).toBe("new");
    expect(await count("kyc_records", platformId)).toBe(2);
  });

  test("with another identifier of its user, or with those of two users, is rejected and writes nothing", async () => {
    const { platformId } = await submitted(someone("ada"));
    await submitted(someone("bob"), platformId);
    const [ada, bob] = [someone("ada"), someone("bob")];
    const others = [
      { ...ada, memberId: "another" },
      { ...ada, memberId: "another", email: "ADA@example.com" },
      { ...ada, email: "another@example.com" },
      { ...ada, email: bob.email },
    ];
    for (const changes of others)
      await expect(kyc.createOrReplay(platformId, aRequest(changes))).rejects.toMatchObject({
        code: "USER_IDENTITY_CONFLICT",
      });
    expect([await count("users", platformId), await count("kyc_records", platformId)]).toEqual([2, 2]);
  });

  test("belongs to another user if the same identifiers are submitted on another platform", async () => {
    const [first, second] = [await submitted(), await submitted()];
    expect(second.externalUserId).not.toBe(first.externalUserId);
  });
});

describe("concurrent submissions", () => {
  test("create one row for 500 identical bodies; all others replay it", async () => {
    const platformId = await platform();
    const results = [];
    // Fifty at a time use every connection. More would only wait, until their timeout.
    while (results.length < 500) {
      const fifty = Array.from({ length: 50 }, () => kyc.createOrReplay(platformId, aRequest()));
      results.push(...(await Promise.all(fifty)));
    }
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(new Set(results.map(({ record }) => record.kycRecordId)).size).toBe(1);
    expect([await count("kyc_records", platformId), await count("kyc_history", platformId)]).toEqual([1, 1]);
  });

  test("create one new record for 100 identical bodies after a rejection", async () => {
    const { platformId, record } = await submitted();
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const next = () => kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    const results = await Promise.all(Array.from({ length: 100 }, next));
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(await count("kyc_records", platformId)).toBe(2);
  });

  const indexes = Array.from({ length: 100 }, (_, index) => index);
  test.each([
    {
      name: "different bodies of one user",
      bodies: indexes.map((index) => ({ occupation: `Job ${index}` })),
      refusal: "KYC_ALREADY_SUBMITTED",
    },
    {
      name: "members with the same e-mail",
      bodies: indexes.map((index) => ({ memberId: `member-${index}` })),
      refusal: "USER_IDENTITY_CONFLICT",
    },
  ])("are accepted once for $name, and never result in an error", async ({ bodies, refusal }) => {
    const platformId = await platform();
    const submit = (changes: object) =>
      kyc.createOrReplay(platformId, aRequest(changes)).then(
        ({ kind }) => kind,
        ({ code }) => code,
      );
    const outcomes = await Promise.all(bodies.map(submit));
    expect(new Set(outcomes)).toEqual(new Set(["new", refusal]));
    expect(outcomes.filter((outcome) => outcome === "new")).toHaveLength(1);
    expect(await count("users", platformId)).toBe(1);
  });

  test("with the swapped identifiers of two users result in conflicts, never in an error", async () => {
    const [a, b] = [someone("a"), someone("b")];
    const { platformId } = await submitted(a);
    await submitted(b, platformId);
    const crossed = [
      { ...a, email: b.email },
      { ...b, email: a.email },
    ];
    const submit = (index: number) =>
      kyc.createOrReplay(platformId, aRequest(crossed[index % 2])).catch(({ code }) => code);
    expect(new Set(await Promise.all(indexes.map(submit)))).toEqual(new Set(["USER_IDENTITY_CONFLICT"]));
  });
});
