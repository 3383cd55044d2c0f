import { isReversal, type ManualDecision, type ManualStep } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/database.ts";
import { answered, aSubmission, keys, makeWorld, someone } from "../support/world.ts";

const { kyc, audit, database, platform, records, rowsOf, set, submitted, userAdmin } = await makeWorld();
const ada = { actor: "claim:ada", requestId: null, address: null };
const by = (operation: string) => ({ ...ada, person: null, operation });
const lease = (id: string, manual: ManualStep) => records.lease(id, manual, by(`record.${manual.step}`));
async function resolve(id: string, decision: ManualDecision) {
  const change = await records.resolve(id, { decision }, by("record.resolve"));
  return change === "changed" ? expect.unreachable() : change;
}
const plan = { step: "ask", notFound: 1, delayMs: 60_000 } as const;
const ask = { step: "ask" } as const;
const isoTime = expect.stringMatching(/^20.*Z$/);
const theRow = async (platformId: string) => (await rowsOf("kyc_records", platformId))[0];
const dueIds = async () => (await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId);

async function created(platformId?: string) {
  const one = await submitted(someone(Math.random()), platformId);
  return { ...one, id: one.kycRecordId };
}

/** Creates a record whose first attempt got no answer and which waits for its next attempt. */
async function rescheduled(platformId?: string) {
  const due = await created(platformId);
  await kyc.reschedule(due.platformId, due.record, plan);
  return due;
}

/** Creates a record that needs attention: workers no longer attempt it. */
async function givenUp(platformId?: string) {
  const due = await created(platformId);
  const impatient = kycRecordsRepository(database, { keys, holdAfterSeconds: 0 });
  await impatient.reschedule(due.platformId, due.record, plan);
  return due;
}

async function leased(id: string, manual: ManualStep = ask) {
  const result = await lease(id, manual);
  if (result?.kind !== "leased") throw new Error(`not leased: ${JSON.stringify(result)}`);
  return result;
}

/** The entries of operators, newest first. */
const entriesOf = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries
    .filter(({ actor }) => actor !== "key_1")
    .map(
      ({ id: _id, at: _at, count: _count, purpose: _purpose, by: _by, platformId: _platformId, ...entry }) =>
        entry,
    );

test("a user's page has the same state of a record as the record itself", async () => {
  const { platformId, id, record } = await givenUp();
  const { resolution, status, needsAttentionSince } = (await records.show(id)) ?? {};
  const user = await userAdmin.show(platformId, record);
  expect(user?.records).toMatchObject([{ resolution, status, needsAttentionSince }]);
});

test("the list has waiting records: those that need attention first, then unresolved ones, the oldest first", async () => {
  const platformId = await platform();
  const decided = await created(platformId);
  await kyc.storeVerdict(platformId, decided.record, answered("approved"));
  const tracked = await created(platformId);
  await kyc.storeVerdict(platformId, tracked.record, answered("pending_approval"));
  await set(tracked.id, "created_at = created_at - interval '1 day'");
  const young = await rescheduled(platformId);
  const old = await rescheduled(platformId);
  await set(old.id, "created_at = created_at - interval '1 hour'");
  const attention = await givenUp(platformId);

  const list = await records.list({ platformId, limit: 10 });
  expect(list.map(({ kycRecordId }) => kycRecordId)).toEqual([attention.id, old.id, young.id, tracked.id]);
  // Only ids and states.
  expect(list[0]).toEqual({
    platformId,
    kycRecordId: attention.id,
    resolution: "unresolved",
    attempt: 1,
    step: "ask",
    notFound: 1,
    createdAt: attention.record.createdAt.toISOString(),
    dueAt: null,
    leaseUntil: null,
    needsAttentionSince: isoTime,
    readAt: isoTime,
  });
  const ids = async (filter: object) =>
    (await records.list({ platformId, limit: 10, ...filter })).map(({ kycRecordId }) => kycRecordId);
  expect(await ids({ unresolvedSeconds: 600 })).toEqual([attention.id, old.id]);
  expect(await ids({ limit: 1 })).toEqual([attention.id]);
  expect(await ids({ platformId: await platform() })).toEqual([]);
  const another = await givenUp();
  expect(await ids({ platformId: undefined, limit: 1000 })).toEqual(
    expect.arrayContaining([attention.id, another.id]),
  );
});

test("the details of a record are its state, its steps and its history, without the submission", async () => {
  const { platformId, record, id } = await created();
  await kyc.keepStep(platformId, record, "upload", { id: "file_1" });
  await kyc.reschedule(platformId, record, plan);
  const details = await records.show(id);
  const { createdAt, ...state } = record;
  const undecided = { status: null, subStatus: null, explanation: null, by: null, proposedBy: null };
  expect(details).toEqual({
    ...state,
    platformId,
    kycRecordId: id,
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
    providerSteps: [{ name: "upload", result: { id: "file_1" }, storedAt: isoTime }],
    assignee: null,
    assignedAt: null,
    assignmentVersion: 0,
    notes: 0,
  });
  expect(JSON.stringify(details)).not.toContain(aSubmission().name);
});

test("an unknown record is null", async () => {
  const unknown = "kyc_none";
  const all = [records.show(unknown), lease(unknown, ask), resolve(unknown, { outcome: "refused" })];
  expect(await Promise.all([...all, records.requeue(unknown, by("x"))])).toEqual([null, null, null, null]);
});

describe("leasing a record", () => {
  test("is rejected with the end of the lease while an attempt owns the record", async () => {
    const { platformId, record, id } = await created();
    const until = (await theRow(platformId))?.lease_until;
    expect(await lease(id, ask)).toEqual({ kind: "busy", until });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ attempt: 1, status: "APPROVED" });
    expect(await entriesOf(platformId)).toEqual([]);
  });

  test("gives one of two operators a new attempt, and excludes workers until the lease ends", async () => {
    const { platformId, id } = await rescheduled();
    await set(id, "due_at = clock_timestamp()");
    const both = await Promise.all([lease(id, ask), lease(id, ask)]);
    expect(both).toContainEqual({ kind: "leased", platformId, kycRecordId: id, attempt: 2 });
    expect(both).toContainEqual({ kind: "busy", until: expect.any(Date) });
    expect(await entriesOf(platformId)).toEqual([{ ...by("record.ask"), subject: id, outcome: "done" }]);
    expect(await dueIds()).not.toContain(id);
    expect(await kyc.loadAttempt(platformId, { kycRecordId: id, attempt: 2 })).toMatchObject({ step: "ask" });
    // The operator's process crashes.
    const seconds = "interval '30 seconds'";
    await set(id, `due_at = due_at - ${seconds}, lease_until = lease_until - ${seconds}`);
    expect(await kyc.leaseDue(1000)).toContainEqual({ platformId, kycRecordId: id, attempt: 3 });
  });

  test("that needs attention does not change that, whatever the attempt's outcome", async () => {
    const { platformId, record, id } = await givenUp();
    const since = (await theRow(platformId))?.needs_attention_since;
    const waiting = { needs_attention_since: since, due_at: null };
    const first = await leased(id);
    expect(await theRow(platformId)).toMatchObject({ ...waiting, step: "ask" });

    await set(id, "lease_until = clock_timestamp()");
    expect(await dueIds()).not.toContain(id);
    const second = await leased(id);
    await kyc.reschedule(platformId, first, { ...plan, step: "send" });
    expect(await theRow(platformId)).toMatchObject({
      attempt: 3,
      step: "ask",
      lease_until: expect.any(Date),
    });

    await kyc.reschedule(platformId, second, { ...plan, notFound: 2 });
    expect(await theRow(platformId)).toMatchObject({ ...waiting, lease_until: null, not_found: 2 });
    const third = await leased(id);
    await kyc.storeVerdict(platformId, { ...record, ...third }, answered("approved"));
    const decided = { needs_attention_since: null, due_at: null, status: "APPROVED" };
    expect(await theRow(platformId)).toMatchObject(decided);
    await kyc.reschedule(platformId, await leased(id), plan);
    expect(await theRow(platformId)).toMatchObject(decided);
  });
});

describe("leasing a record to send it", () => {
  test("requires the number of the latest attempt", async () => {
    const { platformId, id } = await givenUp();
    const asked = await leased(id);
    await kyc.reschedule(platformId, asked, plan);
    await kyc.reschedule(platformId, await leased(id), plan);
    const busy = { kind: "busy", until: null };
    expect(await lease(id, { step: "send", after: asked.attempt })).toEqual(busy);
    const sending = await leased(id, { step: "send", after: asked.attempt + 1 });
    expect(await kyc.loadAttempt(platformId, sending)).toMatchObject({ step: "send" });
    expect((await entriesOf(platformId))[0]).toMatchObject({ operation: "record.send", subject: id });
  });

  test("is followed by a query with a not-found count of 0 when the operator's process crashes", async () => {
    const { platformId, id } = await givenUp();
    await leased(id, { step: "send", after: 1 });
    await set(id, "lease_until = clock_timestamp()");
    const next = await leased(id);
    expect(await kyc.loadAttempt(platformId, next)).toMatchObject({ step: "ask", notFound: 0 });
  });

  test("is rejected after the record is resolved", async () => {
    const { platformId, record, id } = await created();
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await lease(id, { step: "send", after: 1 })).toEqual({ kind: "busy", until: null });
  });
});

describe("a manual decision", () => {
  const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

  test("resolves a record that needs attention, in one transaction with its history row and its entry", async () => {
    const { platformId, id } = await givenUp();
    expect(await resolve(id, approved)).toMatchObject({
      before: { resolution: "unresolved" },
      record: { resolution: "answered", status: "APPROVED", revision: null },
    });
    const decided = { status: "APPROVED", card_account_id: "acct_1" };
    expect(await theRow(platformId)).toMatchObject({ ...decided, needs_attention_since: null, due_at: null });
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission" },
      { source: "person", status: "APPROVED", sub_status: "approved" },
    ]);
    const { history } = (await records.show(id)) ?? {};
    expect(history?.map((change) => change.by)).toEqual([null, "claim:ada"]);
    expect(JSON.stringify(await kyc.history(platformId, id))).not.toContain("claim:ada");
    expect(await entriesOf(platformId)).toEqual([{ ...by("record.resolve"), subject: id, outcome: "done" }]);
  });

  test("is applied and audited once when two operators decide at the same time", async () => {
    const { platformId, id } = await rescheduled();
    const both = await Promise.all([resolve(id, approved), resolve(id, { outcome: "refused" })]);
    expect(both.map((one) => one?.before.resolution === "unresolved").sort()).toEqual([false, true]);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
    expect(await entriesOf(platformId)).toHaveLength(1);
  });

  test("that is not final keeps the record due", async () => {
    const { platformId, id } = await givenUp();
    await resolve(id, { ...approved, subStatus: "pending_approval" });
    const due = { due_at: expect.any(Date), needs_attention_since: null, step: "ask" };
    expect(await theRow(platformId)).toMatchObject(due);
  });

  test("is overridden by the provider's own decision", async () => {
    const { platformId, record, id } = await created();
    await resolve(id, { outcome: "refused" });
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_2"));
    expect(stored.record).toMatchObject({ resolution: "answered", status: "APPROVED", revision: 1 });
    expect(isReversal(stored.before, stored.record)).toBe(true);
    const sources = (await rowsOf("kyc_history", platformId)).map(({ source }) => source);
    expect(sources).toEqual(["submission", "person", "provider"]);
  });
});

describe("requeuing a record", () => {
  const requeue = by("records.requeue");

  test("makes a record that needs attention due for a query, once, and is audited with it", async () => {
    const { platformId, id } = await givenUp();
    const results = await Promise.all([records.requeue(id, requeue), records.requeue(id, requeue)]);
    expect(results.sort()).toEqual([false, true]);
    expect(await records.show(id)).toMatchObject({ needsAttentionSince: null, step: "ask", notFound: 0 });
    expect((await dueIds()).filter((due) => due === id)).toHaveLength(1);
    expect(await entriesOf(platformId)).toEqual([{ ...requeue, subject: id, outcome: "done" }]);
  });

  test("gives workers the same time again before the record needs attention", async () => {
    const { platformId, record, id } = await givenUp();
    const attemptAgain = async () => {
      const attempt = (await kyc.leaseDue(1000)).find(({ kycRecordId }) => kycRecordId === id);
      await kyc.reschedule(platformId, { ...record, ...attempt }, plan);
      return records.show(id);
    };
    await set(id, "created_at = created_at - interval '3 days'");
    await records.requeue(id, requeue);
    expect(await attemptAgain()).toMatchObject({ needsAttentionSince: null, dueAt: isoTime });
    await set(id, "requeued_at = requeued_at - interval '3 days', due_at = clock_timestamp()");
    expect(await attemptAgain()).toMatchObject({ needsAttentionSince: isoTime, dueAt: null });
  });

  test("waits for an operator's attempt that owns the record", async () => {
    const { id } = await givenUp();
    await lease(id, ask);
    await records.requeue(id, requeue);
    const { leaseUntil, dueAt } = (await records.show(id)) ?? {};
    expect([dueAt, leaseUntil]).toEqual([leaseUntil, expect.any(String)]);
    expect(await dueIds()).not.toContain(id);
  });

  test("changes no record that needs no attention", async () => {
    const { id } = await rescheduled();
    const before = await records.show(id);
    expect(await records.requeue(id, requeue)).toBe(false);
    expect(await records.show(id)).toMatchObject({ ...before, readAt: isoTime });
  });
});
