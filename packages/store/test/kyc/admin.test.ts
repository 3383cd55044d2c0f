import { isReversal, type ManualDecision, type ManualStep } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { kycAdmin, kycRecordsRepository, userAdmin } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { answered, aRequest, aSubmission, keys, makeWorld } from "../support/world.ts";

const { kyc, audit, platform, urls, database } = await makeWorld();
const ada = { actor: "claim:ada", requestId: null, address: null };
const by = (operation: string) => ({ ...ada, person: null, operation });
const repository = kycAdmin(database, { leaseSeconds: 30, keys, names: async () => [] });
const admin = {
  ...repository,
  lease: (id: string, manual: ManualStep) => repository.lease(id, manual, by(`record.${manual.step}`)),
  async resolve(id: string, decision: ManualDecision) {
    const change = await repository.resolve(id, { decision }, by("record.resolve"));
    return change === "changed" ? expect.unreachable() : change;
  },
};
const { rowsOf } = reader(urls.adminUrl);
const plan = { step: "ask", notFound: 1, delayMs: 60_000 } as const;
const ask = { step: "ask" } as const;

const asAdmin = (statement: string) =>
  withConnection(urls.adminUrl, async (client) => void (await client.query(statement)));
const set = (kycRecordId: string, what: string) =>
  asAdmin(`update kyc_records set ${what} where id = '${kycRecordId}'`);
const theRow = async (platformId: string) => (await rowsOf("kyc_records", platformId))[0];

async function created(platformId?: string) {
  const of = platformId ?? (await platform());
  const { record } = await kyc.createOrReplay(
    of,
    aRequest({ memberId: `m-${Math.random()}`, email: `${Math.random()}@a.test` }),
  );
  return { platformId: of, record, id: record.kycRecordId };
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
  const result = await admin.lease(id, manual);
  if (result?.kind !== "leased") throw new Error(`not leased: ${JSON.stringify(result)}`);
  return result;
}

test("a user's page has the same state of a record as the record itself", async () => {
  const { platformId, id, record } = await givenUp();
  const { resolution, status, needsAttentionSince } = (await admin.show(id)) ?? {};
  const user = await userAdmin(database, keys).show(platformId, record);
  expect(user?.records).toMatchObject([{ resolution, status, needsAttentionSince }]);
});

describe("the list of waiting records", () => {
  test("shows records that need attention first, then unresolved records, each oldest first, and omits decided records", async () => {
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

    const list = await admin.list({ platformId, limit: 10 });
    expect(list.map(({ kycRecordId }) => kycRecordId)).toEqual([attention.id, old.id, young.id, tracked.id]);
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
      needsAttentionSince: expect.stringMatching(/^20.*Z$/),
      readAt: expect.stringMatching(/^20.*Z$/),
    });
    const ids = async (filter: object) =>
      (await admin.list({ platformId, limit: 10, ...filter })).map(({ kycRecordId }) => kycRecordId);
    expect(await ids({ unresolvedSeconds: 600 })).toEqual([attention.id, old.id]);
    expect(await ids({ limit: 1 })).toEqual([attention.id]);
    expect(await ids({ platformId: await platform() })).toEqual([]);
  });

  test("covers all platforms and shows only ids and states", async () => {
    const [one, other] = [await givenUp(), await givenUp()];
    const list = await admin.list({ limit: 1000 });
    for (const { id, platformId } of [one, other])
      expect(list).toContainEqual(expect.objectContaining({ kycRecordId: id, platformId }));
    const rows = await withConnection(
      urls.serviceUrl,
      async (client) => (await client.query("select * from list_waiting(null, null, null)")).rows,
    );
    expect(rows.length).toBeGreaterThan(1);
    const text = JSON.stringify(rows);
    for (const value of Object.values(aSubmission())) expect(text).not.toContain(String(value));
    expect(text).not.toContain("@");
  });
});

describe("the details of a record", () => {
  test("show its state, its attempts and its history, but not the submission", async () => {
    const { platformId, record, id } = await created();
    await kyc.keepStep(platformId, record, "upload", { id: "file_1" });
    await kyc.keepStep(platformId, record, "creation", { answer: "status-400:some_code", times: "3" });
    await kyc.reschedule(platformId, record, plan);
    const details = await admin.show(id);
    const { createdAt, ...state } = record;
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
      dueAt: expect.stringMatching(/^20.*Z$/),
      readAt: expect.stringMatching(/^20.*Z$/),
      history: [
        {
          resolution: "unresolved",
          status: null,
          subStatus: null,
          explanation: null,
          source: "submission",
          by: null,
          proposedBy: null,
          observedAt: expect.stringMatching(/Z$/),
        },
      ],
      providerSteps: [
        { name: "upload", result: { id: "file_1" }, storedAt: expect.stringMatching(/^20.*Z$/) },
        {
          name: "creation",
          result: { answer: "status-400:some_code", times: "3" },
          storedAt: expect.stringMatching(/^20.*Z$/),
        },
      ],
      assignee: null,
      assignedAt: null,
      assignmentVersion: 0,
      notes: 0,
    });
    expect(JSON.stringify(details)).not.toContain(aSubmission().name);
  });

  test("are null for an unknown id", async () => {
    expect(await admin.show("kyc_none")).toBeNull();
    expect(await admin.lease("kyc_none", ask)).toBeNull();
    expect(await admin.resolve("kyc_none", { outcome: "refused" })).toBeNull();
  });
});

describe("leasing a record", () => {
  test("is rejected with the end of the lease while an attempt owns the record", async () => {
    const { platformId, record, id } = await created();
    const lease = (await theRow(platformId))?.lease_until;
    expect(await admin.lease(id, ask)).toEqual({ kind: "busy", until: lease });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ attempt: 1, status: "APPROVED" });
  });

  test("gives one of two operators a new attempt, and excludes workers until the lease ends", async () => {
    const { platformId, id } = await rescheduled();
    await set(id, "due_at = clock_timestamp()");
    const both = await Promise.all([admin.lease(id, ask), admin.lease(id, ask)]);
    expect(both).toContainEqual({ kind: "leased", platformId, kycRecordId: id, attempt: 2 });
    expect(both).toContainEqual({ kind: "busy", until: expect.any(Date) });
    expect((await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
    expect(await kyc.loadAttempt(platformId, { kycRecordId: id, attempt: 2 })).toMatchObject({ step: "ask" });
  });

  test("allows a worker to continue after the lease when the operator's process crashes", async () => {
    const { platformId, id } = await rescheduled();
    await leased(id);
    expect((await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
    const lease = "interval '30 seconds'";
    await set(id, `due_at = due_at - ${lease}, lease_until = lease_until - ${lease}`);
    expect(await kyc.leaseDue(1000)).toContainEqual({ platformId, kycRecordId: id, attempt: 3 });
  });

  test("that needs attention does not change that, whatever the attempt's outcome", async () => {
    const { platformId, record, id } = await givenUp();
    const since = (await theRow(platformId))?.needs_attention_since;
    const first = await leased(id);
    expect(await theRow(platformId)).toMatchObject({
      needs_attention_since: since,
      due_at: null,
      step: "ask",
    });

    await set(id, "lease_until = clock_timestamp()");
    expect((await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
    const second = await leased(id);
    await kyc.reschedule(platformId, first, { ...plan, step: "send" });
    expect(await theRow(platformId)).toMatchObject({
      attempt: 3,
      step: "ask",
      lease_until: expect.any(Date),
    });

    await kyc.reschedule(platformId, second, { ...plan, notFound: 2 });
    expect(await theRow(platformId)).toMatchObject({
      needs_attention_since: since,
      due_at: null,
      lease_until: null,
      not_found: 2,
    });
    const third = await leased(id);
    await kyc.storeVerdict(platformId, { ...record, ...third }, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({
      needs_attention_since: null,
      due_at: null,
      status: "APPROVED",
    });
  });

  test("that is decided does not change it when the attempt gets no answer", async () => {
    const { platformId, record, id } = await created();
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await kyc.reschedule(platformId, await leased(id), plan);
    expect(await theRow(platformId)).toMatchObject({
      due_at: null,
      needs_attention_since: null,
      status: "APPROVED",
    });
  });
});

describe("leasing a record to send it", () => {
  test("requires the number of the latest attempt", async () => {
    const { platformId, id } = await givenUp();
    const asked = await leased(id);
    await kyc.reschedule(platformId, asked, plan);
    await kyc.reschedule(platformId, await leased(id), plan);
    expect(await admin.lease(id, { step: "send", after: asked.attempt })).toEqual({
      kind: "busy",
      until: null,
    });
    const sending = await leased(id, { step: "send", after: asked.attempt + 1 });
    expect(await kyc.loadAttempt(platformId, sending)).toMatchObject({ step: "send" });
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
    expect(await admin.lease(id, { step: "send", after: 1 })).toEqual({ kind: "busy", until: null });
  });
});

describe("a manual decision", () => {
  const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

  test("resolves a record that needs attention, in one transaction with its history row", async () => {
    const { platformId, id } = await givenUp();
    const resolved = await admin.resolve(id, approved);
    expect(resolved).toMatchObject({
      before: { resolution: "unresolved" },
      record: { resolution: "answered", status: "APPROVED", revision: null },
    });
    expect(await theRow(platformId)).toMatchObject({
      status: "APPROVED",
      card_account_id: "acct_1",
      needs_attention_since: null,
      due_at: null,
    });
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission" },
      { source: "person", status: "APPROVED", sub_status: "approved" },
    ]);
    const { history } = (await admin.show(id)) ?? {};
    expect(history?.map((change) => change.by)).toEqual([null, "claim:ada"]);
    expect(JSON.stringify(await kyc.history(platformId, id))).not.toContain("claim:ada");
  });

  test("is applied once when two operators decide at the same time", async () => {
    const { platformId, id } = await rescheduled();
    const both = await Promise.all([admin.resolve(id, approved), admin.resolve(id, { outcome: "refused" })]);
    expect(both.map((one) => one?.before.resolution === "unresolved").sort()).toEqual([false, true]);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("that is not final keeps the record due", async () => {
    const { platformId, id } = await givenUp();
    await admin.resolve(id, { ...approved, subStatus: "pending_approval" });
    expect(await theRow(platformId)).toMatchObject({
      due_at: expect.any(Date),
      needs_attention_since: null,
      step: "ask",
    });
  });

  test("is overridden by the provider's own decision, before or after it", async () => {
    const { platformId, record, id } = await created();
    await admin.resolve(id, { outcome: "refused" });
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_2"));
    expect(stored.record).toMatchObject({ resolution: "answered", status: "APPROVED", revision: 1 });
    expect(isReversal(stored.before, stored.record)).toBe(true);
    expect((await rowsOf("kyc_history", platformId)).map(({ source }) => source)).toEqual([
      "submission",
      "person",
      "provider",
    ]);
  });
});

describe("the audit contains an entry", () => {
  const entriesOf = async (platformId: string) => {
    const entries = (await audit.list([platformId], { limit: 100 })).entries;
    return entries
      .filter(({ actor }) => actor !== "key_1")
      .map(
        ({
          id: _id,
          at: _at,
          count: _count,
          purpose: _purpose,
          by: _by,
          platformId: _platformId,
          ...entry
        }) => entry,
      );
  };

  test("when an operator leases a record to query or to send it", async () => {
    const { platformId, id } = await rescheduled();
    const asked = await leased(id);
    await kyc.reschedule(platformId, asked, plan);
    await leased(id, { step: "send", after: asked.attempt });
    expect(await entriesOf(platformId)).toEqual([
      { ...by("record.send"), subject: id, outcome: "done" },
      { ...by("record.ask"), subject: id, outcome: "done" },
    ]);
  });

  test("when an operator resolves a record", async () => {
    const { platformId, id } = await rescheduled();
    await admin.resolve(id, { outcome: "refused" });
    expect(await entriesOf(platformId)).toEqual([{ ...by("record.resolve"), subject: id, outcome: "done" }]);
  });

  test("only when an operator's call changed the record", async () => {
    const { platformId, id, record } = await created();
    expect(await admin.lease(id, ask)).toMatchObject({ kind: "busy" });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await admin.resolve(id, { outcome: "refused" });
    expect(await entriesOf(platformId)).toEqual([]);
  });
});

describe("requeuing a record", () => {
  const requeue = by("records.requeue");
  const stateOf = async (id: string) => admin.show(id);

  test("makes a record that needs attention due for a query, once, and is audited with it", async () => {
    const { platformId, id } = await givenUp();
    const results = await Promise.all([admin.requeue(id, requeue), admin.requeue(id, requeue)]);
    expect(results.sort()).toEqual([false, true]);
    expect(await stateOf(id)).toMatchObject({ needsAttentionSince: null, step: "ask", notFound: 0 });
    const due = (await kyc.leaseDue(100)).filter(({ kycRecordId }) => kycRecordId === id);
    expect(due).toHaveLength(1);
    const entries = (await audit.list([platformId], { limit: 100 })).entries;
    expect(entries.filter(({ operation }) => operation === "records.requeue")).toMatchObject([
      { subject: id, outcome: "done" },
    ]);
  });

  test("gives workers the same time again before the record needs attention", async () => {
    const { platformId, record, id } = await givenUp();
    await set(id, "created_at = created_at - interval '3 days'");
    await admin.requeue(id, requeue);
    const attempt = (await kyc.leaseDue(100)).find(({ kycRecordId }) => kycRecordId === id);
    await kyc.reschedule(platformId, { ...record, ...attempt }, plan);
    expect(await stateOf(id)).toMatchObject({ needsAttentionSince: null, dueAt: expect.any(String) });
    await set(id, "requeued_at = requeued_at - interval '3 days', due_at = clock_timestamp()");
    const next = (await kyc.leaseDue(100)).find(({ kycRecordId }) => kycRecordId === id);
    await kyc.reschedule(platformId, { ...record, ...next }, plan);
    expect(await stateOf(id)).toMatchObject({ needsAttentionSince: expect.any(String), dueAt: null });
  });

  test("waits for an operator's attempt that owns the record", async () => {
    const { id } = await givenUp();
    await admin.lease(id, ask);
    await admin.requeue(id, requeue);
    const { leaseUntil, dueAt } = (await stateOf(id)) ?? {};
    expect([dueAt, leaseUntil]).toEqual([leaseUntil, expect.any(String)]);
    expect((await kyc.leaseDue(100)).map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
  });

  test("changes no other record", async () => {
    const { id } = await rescheduled();
    const before = await stateOf(id);
    expect(await admin.requeue(id, requeue)).toBe(false);
    expect(await stateOf(id)).toMatchObject({ ...before, readAt: expect.any(String) });
    expect(await admin.requeue("kyc_none", requeue)).toBeNull();
  });
});
