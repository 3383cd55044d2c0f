import type { CreateResult } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { reader } from "../support/rows.ts";
import { answered, aRequest, makeWorld } from "../support/world.ts";

const { kyc, platform, database, urls } = await makeWorld({ maxConnections: 20 });
const { count, rowsOf } = reader(urls.adminUrl);

describe("a submission", () => {
  test("of a new user creates the user, the record and its first history row", async () => {
    const platformId = await platform();
    const request = aRequest();
    const result = await kyc.createOrReplay(platformId, request);

    expect(result.kind).toBe("new");
    expect(result.record).toMatchObject({
      kycRecordId: request.kycRecordId,
      externalUserId: request.externalUserId,
      resolution: "unresolved",
      status: null,
      subStatus: null,
      cardAccountId: null,
      attempt: 1,
    });
    expect(result.record.createdAt).toBeInstanceOf(Date);
    const [row] = await rowsOf("kyc_records", platformId);
    expect(row).toMatchObject({
      answered_at: null,
      lease_until: expect.any(Date),
      due_at: expect.any(Date),
    });
    const history = await rowsOf("kyc_history", platformId);
    expect(history).toMatchObject([{ source: "submission", resolution: "unresolved", status: null }]);
  });

  test("with an equal body replays the record, whatever the order of its fields", async () => {
    const platformId = await platform();
    const first = await kyc.createOrReplay(platformId, aRequest());
    const request = aRequest();
    const reversed = Object.fromEntries(Object.entries(request.submission).reverse());
    const submission = { ...request.submission, ...reversed };
    expect(await kyc.createOrReplay(platformId, { ...request, submission })).toEqual({
      kind: "replay",
      record: first.record,
    });
    expect(await count("kyc_records", platformId)).toBe(1);
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
    const first = await kyc.createOrReplay(platformId, { ...aRequest(changes), idempotencyKey });
    const supportingDocuments = documents("?X-Amz-Date=2&X-Amz-Signature=b").reverse();
    const again = aRequest({ name: name.normalize("NFD"), supportingDocuments });
    for (const request of [again, { ...again, idempotencyKey }])
      expect(await kyc.createOrReplay(platformId, request)).toEqual({ kind: "replay", record: first.record });
  });

  test("with another body is rejected with the id of the open record", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, aRequest());
    await expect(kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
      details: { kycRecordId: record.kycRecordId },
    });
    expect(await count("kyc_records", platformId)).toBe(1);
  });

  test.each([
    ["a rejection", answered("rejected")],
    ["a refusal", { outcome: "refused" } as const],
  ])("with another body after %s creates a new record of the same user", async (_name, verdict) => {
    const platformId = await platform();
    const first = await kyc.createOrReplay(platformId, aRequest());
    await kyc.storeVerdict(platformId, first.record, verdict);
    const second = await kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));

    expect(second.kind).toBe("new");
    expect(second.record.externalUserId).toBe(first.record.externalUserId);
    expect(second.record.kycRecordId).not.toBe(first.record.kycRecordId);
    // The new record is now the latest.
    const replay = await kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    expect(replay.record.kycRecordId).toBe(second.record.kycRecordId);
  });

  test("applies the policy of its request", async () => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, aRequest());
    const result = await kyc.createOrReplay(platformId, { ...aRequest(), decide: () => "submit" });
    expect(result.kind).toBe("new");
    expect(await count("kyc_records", platformId)).toBe(2);
  });

  test("with the e-mail in another case belongs to the same user", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, aRequest({ email: "Ada@Example.com" }));
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const again = await kyc.createOrReplay(platformId, aRequest({ email: "aDA@example.COM" }));
    expect(again.record.externalUserId).toBe(record.externalUserId);
  });
});

describe("a submission that would change a user's identity", () => {
  test.each([
    ["another member id", { memberId: "member-2" }],
    ["another member id and case", { memberId: "member-2", email: "ADA@example.com" }],
    ["another e-mail", { email: "other@example.com" }],
  ])("with %s is rejected and writes nothing", async (_name, changes) => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, aRequest());
    await expect(kyc.createOrReplay(platformId, aRequest(changes))).rejects.toMatchObject({
      code: "USER_IDENTITY_CONFLICT",
    });
    expect(await count("users", platformId)).toBe(1);
    expect(await count("kyc_records", platformId)).toBe(1);
  });

  test("with the identifiers of two existing users is rejected", async () => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, aRequest());
    await kyc.createOrReplay(platformId, aRequest({ memberId: "member-2", email: "bob@example.com" }));
    await expect(
      kyc.createOrReplay(platformId, aRequest({ email: "bob@example.com" })),
    ).rejects.toMatchObject({
      code: "USER_IDENTITY_CONFLICT",
    });
  });

  test("belongs to another user if the same identifiers are submitted on another platform", async () => {
    const first = await kyc.createOrReplay(await platform(), aRequest());
    const second = await kyc.createOrReplay(await platform(), aRequest());
    expect(second.kind).toBe("new");
    expect(second.record.externalUserId).not.toBe(first.record.externalUserId);
  });
});

describe("concurrent submissions", () => {
  test("create one row for 500 identical bodies; all others replay it", async () => {
    const platformId = await platform();
    const results: CreateResult[] = [];
    // Fifty at a time use every connection. More would only wait, until their timeout.
    while (results.length < 500) {
      const fifty = Array.from({ length: 50 }, () => kyc.createOrReplay(platformId, aRequest()));
      results.push(...(await Promise.all(fifty)));
    }
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(new Set(results.map(({ record }) => record.kycRecordId)).size).toBe(1);
    expect(await count("kyc_records", platformId)).toBe(1);
    expect(await count("kyc_history", platformId)).toBe(1);
  });

  test("create one new record for 100 identical bodies after a rejection", async () => {
    const platformId = await platform();
    const { record } = await kyc.createOrReplay(platformId, aRequest());
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const next = () => kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    const results = await Promise.all(Array.from({ length: 100 }, next));
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(await count("kyc_records", platformId)).toBe(2);
  });

  test("are accepted once for 100 different bodies of one user", async () => {
    const platformId = await platform();
    const bodies = Array.from({ length: 100 }, (_, index) => aRequest({ occupation: `Job ${index}` }));
    const outcomes = await Promise.allSettled(bodies.map((body) => kyc.createOrReplay(platformId, body)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("KYC_ALREADY_SUBMITTED");
    }
  });

  test("of different users do not affect each other", async () => {
    const platformId = await platform();
    const bodies = Array.from({ length: 100 }, (_, index) =>
      aRequest({ memberId: `member-${index}`, email: `user-${index}@example.com` }),
    );
    const results = await Promise.all(bodies.map((body) => kyc.createOrReplay(platformId, body)));
    expect(results.every(({ kind }) => kind === "new")).toBe(true);
    expect(await count("users", platformId)).toBe(100);
  });

  test("are accepted once for 50 members with the same e-mail", async () => {
    const platformId = await platform();
    const bodies = Array.from({ length: 50 }, (_, index) => aRequest({ memberId: `member-${index}` }));
    const outcomes = await Promise.allSettled(bodies.map((body) => kyc.createOrReplay(platformId, body)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("USER_IDENTITY_CONFLICT");
    }
    expect(await count("users", platformId)).toBe(1);
  });

  test("with the swapped identifiers of two users result in conflicts, never in an error", async () => {
    const platformId = await platform();
    await kyc.createOrReplay(platformId, aRequest({ memberId: "a", email: "a@example.com" }));
    await kyc.createOrReplay(platformId, aRequest({ memberId: "b", email: "b@example.com" }));
    const crossed = Array.from({ length: 100 }, (_, index) =>
      aRequest(
        index % 2 ? { memberId: "a", email: "b@example.com" } : { memberId: "b", email: "a@example.com" },
      ),
    );
    const outcomes = await Promise.allSettled(crossed.map((body) => kyc.createOrReplay(platformId, body)));
    const codes = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.code : "none"));
    expect(new Set(codes)).toEqual(new Set(["USER_IDENTITY_CONFLICT"]));
    expect(await database.health()).toEqual({ reachable: true, pendingMigrations: [] });
  });
});
