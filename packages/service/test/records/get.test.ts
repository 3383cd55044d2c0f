import { maxRecordViews } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Call } from "../../src/index.ts";
import { getRecord, recordReads } from "../../src/records/get.ts";
import { readUser } from "../../src/users/user.ts";
import { needingAttention, retryPlan } from "../support/attention-record.ts";
import { callOf, codeOf, operatorCall, personCall } from "../support/calls.ts";
import { aRequestForDocument, askedRecord, requestingProvider } from "../support/document-requests.ts";
import { openEvidence } from "../support/opening.ts";
import { answered, aRequest, aSubmission, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { admin, audit, database, kyc, person, platform, ports, records, submitted, userAdmin } = world;
const isoTime = expect.stringMatching(/^20.*Z$/);
const report = { step: "ask", milliseconds: 9, reason: null } as const;

const get = (kycRecordId: string, call: Call = operatorCall) =>
  getRecord.execute(ports, call, { kycRecordId }).then(({ data }) => data);

test("the details of a record are its state, its steps and its history, without the submission", async () => {
  const { platformId, record, kycRecordId } = await submitted();
  await kyc.keepStep(platformId, record, "upload", { id: "file_1" });
  await kyc.reschedule(platformId, record, retryPlan);
  const { next, ...details } = await get(kycRecordId);
  const { createdAt, approvedAt: _, ...state } = record;
  const undecided = { status: null, subStatus: null, explanation: null, by: null, proposedBy: null };
  expect(details).toEqual({
    ...state,
    documentExpiry: null,
    platformId,
    kycRecordId,
    step: "ask",
    notFound: 1,
    needsAttentionSince: null,
    version: expect.stringMatching(/^\d+$/),
    traceId: null,
    leaseUntil: null,
    createdAt: createdAt.toISOString(),
    dueAt: isoTime,
    readAt: isoTime,
    history: [{ ...undecided, resolution: "unresolved", source: "submission", observedAt: isoTime }],
    requests: [],
    renewal: null,
    requestHistory: [],
    expiryHistory: [],
    providerSteps: [{ name: "upload", result: { id: "file_1" }, storedAt: isoTime }],
    assignee: null,
    assignedRole: null,
    assignedAt: null,
    assignmentVersion: 0,
    notes: 0,
    persons: [],
    deliveries: [],
    views: [],
    openings: [],
  });
  expect(JSON.stringify([next, details])).not.toContain(aSubmission().name);
  expect(await codeOf(get("kyc_none"))).toBe("KYC_RECORD_NOT_FOUND");
});

test("a record says what to do next, and the call is audited for its platform", async () => {
  const { platformId, record, kycRecordId } = await needingAttention(world);
  const attempt = await records.lease(kycRecordId, { step: "ask" });
  const notFound = { ...report, outcome: "not-found", by: "worker" } as const;
  await kyc.reschedule(platformId, { ...record, ...attempt }, retryPlan, notFound);
  expect(await get(kycRecordId)).toMatchObject({
    next: { situation: "not-found", action: "resend", roles: ["support", "compliance", "operator"] },
  });
  const { entries } = await audit.list([platformId], { limit: 1 });
  const entry = { actor: "claim:ada", operation: "records.get", subject: kycRecordId, outcome: "done" };
  expect(entries).toMatchObject([{ platformId, ...entry }]);
});

test("a record names the persons who proposed, decided and attempted, and says that the decision is manual", async () => {
  const { platformId, record, kycRecordId, externalUserId } = await submitted();
  for (const name of ["Cora", "Cleo", "Sam"]) await person({ personId: `per_${name.toLowerCase()}`, name });
  for (const by of ["per_sam/key_1", "worker"]) {
    await kyc.reschedule(
      platformId,
      record,
      { ...retryPlan, delayMs: 0 },
      { ...report, outcome: "unknown", by },
    );
    Object.assign(record, await records.lease(kycRecordId, { step: "ask" }));
  }
  const decision = { outcome: "answered", subStatus: "approved", cardAccountId: null } as const;
  const by = { actor: "per_cora/key_1", requestId: null, address: null, operation: "records.resolve" };
  await records.resolve(kycRecordId, { decision }, by);
  await admin(
    `insert into proposals (id, platform_id, user_id, record_id, kind, actor, seen, evidence_hash, decision, confirmer, decided_at)
     values ('prop_1', $1, $2, $3, 'approve', 'per_cleo/key_1', '1', 'x', 'confirmed', 'per_cora', now())`,
    [platformId, externalUserId, kycRecordId],
  );
  const data = await get(kycRecordId);
  expect(data.persons.map(({ name }) => name).sort()).toEqual(["Cleo", "Cora", "Sam"]);
  expect(data.history.at(-1)).toMatchObject({ by: "per_cora/key_1", proposedBy: "per_cleo/key_1" });
  expect(data.next).toMatchObject({ situation: "approved", manual: true });
  expect(data.next.operator).not.toContain("provider");
});

test("a record names who opened its evidence and why, newest first, while the opening is kept", async () => {
  const { kycRecordId } = await submitted();
  await person({ personId: "per_olga", name: "Olga" });
  const opened = { kycRecordId, evidenceHash: "0".repeat(64) };
  await openEvidence(world, { ...opened, personId: "per_olga" });
  await openEvidence(world, { ...opened, personId: "per_sam" });
  const opening = { purpose: "review", at: isoTime };
  expect((await get(kycRecordId)).openings).toEqual([
    { by: { personId: "per_sam", name: "Sam" }, ...opening },
    { by: { personId: "per_olga", name: "Olga" }, ...opening },
  ]);
});

test("a record has the provider's requests and their changes, apart from the changes of its state", async () => {
  const provider = requestingProvider();
  const dueAt = new Date(Date.now() + 86_400_000).toISOString();
  provider.reports = [aRequestForDocument({ dueAt })];
  const { kycRecordId, about, answer, attempt } = await askedRecord(world, provider);
  const asked = await get(kycRecordId);
  expect(asked).toMatchObject({
    history: [{ source: "submission" }, { status: "PENDING_APPROVAL", source: "provider" }],
    requests: [{ documentType: "BANK_STATEMENT", dueAt, status: "open", sentAt: null }],
    next: { situation: "document-requested" },
  });
  const { documentRequestId } = asked.requests[0] ?? {};
  const change = { documentRequestId, documentType: "BANK_STATEMENT", dueAt, observedAt: isoTime };
  expect(asked.requestHistory).toEqual([{ ...change, status: "open", source: "event" }]);
  await answer();
  const stored = await get(kycRecordId);
  expect(stored.next.situation).toBe("answer-not-sent");
  expect(stored.version).not.toBe(asked.version);
  await attempt();
  expect(await get(kycRecordId)).toMatchObject({
    requests: [{ status: "answered", answeredAt: isoTime, sentAt: isoTime }],
    next: { situation: "in-review" },
  });
  await kyc.recordProviderUpdate(about, answered("approved", null, 2));
  const decided = await get(kycRecordId);
  expect(decided.requestHistory).toEqual([
    { ...change, status: "open", source: "event" },
    { ...change, status: "answered", source: "submission" },
    { ...change, status: "closed", source: "event" },
  ]);
  expect(decided.history).toHaveLength(3);
});

test("a user's page has the same state of a record as the record itself", async () => {
  const { platformId, kycRecordId, record } = await needingAttention(world);
  const { resolution, status, needsAttentionSince } = await get(kycRecordId);
  const user = await userAdmin.show(platformId, record);
  expect(user?.records).toMatchObject([{ resolution, status, needsAttentionSince }]);
});

test("a read fails if its audit fails", async () => {
  const { kycRecordId } = await submitted();
  const right = "execute on function audit_hourly";
  await admin(`revoke ${right} from cardbridge_service`);
  onTestFinished(async () => void (await admin(`grant ${right} to cardbridge_service`)));
  expect(await codeOf(get(kycRecordId))).toBe("SERVICE_UNAVAILABLE");
});

describe("the views of a record", () => {
  const app = (actor: string): Call => ({ ...callOf("internal", { scopes: ["ops.records.read"] }), actor });
  const by = (personId: string) => personCall(["ops.records.read"], { personId });
  const age = (platformId: string, actor: string, days: number) =>
    admin(
      `update audit_reads set day = day - $3::int, last_at = last_at - $3::int * interval '1 day'
       where platform_id = $1 and actor = $2`,
      [platformId, actor, days],
    );

  test("have the persons' names, newest first, of today and yesterday", async () => {
    const { platformId, kycRecordId } = await submitted();
    const ada = { personId: await person({ personId: "per_ada", name: "Ada" }), name: "Ada" };
    for (const call of [by("per_ada"), operatorCall]) await get(kycRecordId, call);
    await age(platformId, "per_ada/key_1", 1);
    await age(platformId, "claim:ada", 2);
    // A later hour changes the time of a view, and adds none.
    for (const call of [app("key_2"), app("key_2"), by("per_ada"), by("per_gone")]) {
      await get(kycRecordId, call);
      await admin(
        "update audit_reads set last_at = last_at - interval '1 hour' where platform_id = $1 and day = (select max(day) from audit_reads)",
        [platformId],
      );
    }
    const { views } = await get(kycRecordId);
    expect(views).toEqual([
      { by: { personId: "per_gone", name: null }, actor: "per_gone/key_1", at: isoTime },
      { by: ada, actor: "per_ada/key_1", at: isoTime },
      { by: null, actor: "key_2", at: isoTime },
      { by: ada, actor: "per_ada/key_1", at: isoTime },
    ]);
    const times = views.map((view) => view.at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test("are those of this record and operation only", async () => {
    const platformId = await platform();
    const one = await submitted({}, platformId);
    await kyc.storeVerdict(platformId, one.record, answered("rejected"));
    const other = await submitted({ occupation: "Poet" }, platformId);
    await get(other.kycRecordId);
    const entry = { actor: "key_1", requestId: null, address: null, subject: one.kycRecordId } as const;
    await audit.appendHourly(platformId, { ...entry, operation: "users.show", outcome: "done" });
    expect((await get(one.kycRecordId)).views).toEqual([]);
    expect((await get(one.kycRecordId)).views).toHaveLength(1);
  });

  test("are at most the newest 20 of many, read by the primary key", async () => {
    const { platformId, kycRecordId } = await submitted();
    const days = "(now() at time zone 'UTC')::date - n % 4";
    await admin(
      `insert into audit_reads (day, platform_id, subject, operation, actor, address, last_at)
       select ${days}, $1, case n % 100 when 4 then $2 else 'kyc_' || n % 100 end, 'records.get', 'key_' || n, '',
         ${days} + n * interval '1 second'
       from generate_series(1, 20000) as n`,
      [platformId, kycRecordId],
    );
    await admin("vacuum analyze audit_reads");
    const { views } = await get(kycRecordId);
    expect(views).toHaveLength(maxRecordViews);
    expect(views[0]?.actor).toBe("key_19904");

    const plan = await database.asPlatform(platformId, async (tx) => {
      const { rows } = await tx.execute<{ "QUERY PLAN": string }>(
        sql`explain (analyze, costs off, timing off) ${recordReads(tx, platformId, kycRecordId).getSQL()}`,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    expect(plan).toMatch(/Index Scan (on|using) audit_reads_of_day/);
    expect(plan).toMatch(/Index Cond: .*day = ANY .*platform_id = .*subject = .*operation = /);
    expect(plan).not.toContain("Seq Scan");
  });
});

test("an approval names the record that renews it, and whether that one replaced it", async () => {
  const { platformId, record, kycRecordId, externalUserId } = await submitted({
    documentExpiryDate: "2020-05-01",
  });
  await kyc.storeVerdict(platformId, record, answered("approved", "acct_1"));
  expect(await get(kycRecordId)).toMatchObject({ renewal: null, next: { situation: "document-expired" } });
  const { record: renewing } = await kyc.createOrReplay(platformId, aRequest({ documentNumber: "P7654321" }));
  const renewal = { kycRecordId: renewing.kycRecordId, createdAt: renewing.createdAt.toISOString() };
  const user = () => readUser(ports, platformId, { externalUserId });
  expect(await get(kycRecordId)).toMatchObject({
    renewal: { ...renewal, resolution: "unresolved", status: null, replaces: false },
    next: { situation: "renewal-under-way" },
  });
  expect(await get(renewing.kycRecordId)).toMatchObject({ renews: kycRecordId, renewal: null });
  expect(await user()).toMatchObject({ standingApproval: kycRecordId });

  await kyc.storeVerdict(platformId, renewing, answered("approved", "acct_1", 1));
  expect(await user()).toMatchObject({ standingApproval: renewing.kycRecordId });
  const about = { reference: renewing.kycRecordId, userReference: externalUserId };
  await kyc.recordProviderUpdate(about, answered("rejected", null, 2));
  expect(await get(kycRecordId)).toMatchObject({
    renewal: { ...renewal, resolution: "answered", status: "REJECTED", replaces: true },
    next: { situation: "renewed" },
  });
  expect(await user()).toMatchObject({ standingApproval: null });
});
