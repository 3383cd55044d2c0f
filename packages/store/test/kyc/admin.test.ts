import { isReversal, type ManualDecision, type ManualStep } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { kycAdmin, kycRecordsRepository } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { aClaim, answered, aSubmission, keys, makeWorld } from "../support/world.ts";

const { kyc, audit, platform, urls, database } = await makeWorld();
const ada = { actor: "person:ada", requestId: null, address: null };
const by = (operation: string) => ({ ...ada, operation });
const repository = kycAdmin(database, { leaseSeconds: 30 });
const admin = {
  ...repository,
  lease: (id: string, manual: ManualStep) => repository.lease(id, manual, by(`record.${manual.step}`)),
  settle: (id: string, decision: ManualDecision) => repository.settle(id, decision, by("record.settle")),
};
const { rowsOf } = reader(urls.adminUrl);
const plan = { step: "ask", notFound: 1, delayMs: 60_000 } as const;
const ask = { step: "ask" } as const;

const asAdmin = (statement: string) =>
  withConnection(urls.adminUrl, async (client) => void (await client.query(statement)));
const set = (kycRecordId: string, what: string) =>
  asAdmin(`update kyc_records set ${what} where id = '${kycRecordId}'`);
const theRow = async (platformId: string) => (await rowsOf("kyc_records", platformId))[0];

async function claimed(platformId?: string) {
  const of = platformId ?? (await platform());
  const { record } = await kyc.claim(
    of,
    aClaim({ memberId: `m-${Math.random()}`, email: `${Math.random()}@a.test` }),
  );
  return { platformId: of, record, id: record.kycRecordId };
}

/** A record whose first attempt got no answer, and which waits for the next one. */
async function rescheduled(platformId?: string) {
  const created = await claimed(platformId);
  await kyc.reschedule(created.platformId, created.record, plan);
  return created;
}

async function held(platformId?: string) {
  const created = await claimed(platformId);
  const impatient = kycRecordsRepository(database, { keys, holdAfterSeconds: 0 });
  await impatient.reschedule(created.platformId, created.record, plan);
  return created;
}

async function leased(id: string, manual: ManualStep = ask) {
  const result = await admin.lease(id, manual);
  if (result?.kind !== "leased") throw new Error(`not leased: ${JSON.stringify(result)}`);
  return result;
}

describe("the list of waiting records", () => {
  test("shows held records first, then unsettled ones, each oldest first, and no decided ones", async () => {
    const platformId = await platform();
    const decided = await claimed(platformId);
    await kyc.storeVerdict(platformId, decided.record, answered("approved"));
    const tracked = await claimed(platformId);
    await kyc.storeVerdict(platformId, tracked.record, answered("pending_approval"));
    await set(tracked.id, "created_at = created_at - interval '1 day'");
    const young = await rescheduled(platformId);
    const old = await rescheduled(platformId);
    await set(old.id, "created_at = created_at - interval '1 hour'");
    const stuck = await held(platformId);

    const list = await admin.list({ platformId, limit: 10 });
    expect(list.map(({ kycRecordId }) => kycRecordId)).toEqual([stuck.id, old.id, young.id, tracked.id]);
    expect(list[0]).toEqual({
      platformId,
      kycRecordId: stuck.id,
      settlement: "unsettled",
      attempt: 1,
      step: "ask",
      notFound: 1,
      createdAt: stuck.record.createdAt.toISOString(),
      dueAt: null,
      leaseUntil: null,
      heldAt: expect.stringMatching(/^20.*Z$/),
      readAt: expect.stringMatching(/^20.*Z$/),
    });
    const ids = async (filter: object) =>
      (await admin.list({ platformId, limit: 10, ...filter })).map(({ kycRecordId }) => kycRecordId);
    expect(await ids({ stuckSeconds: 600 })).toEqual([stuck.id, old.id]);
    expect(await ids({ limit: 1 })).toEqual([stuck.id]);
    expect(await ids({ platformId: await platform() })).toEqual([]);
  });

  test("covers all platforms, and shows ids and states only", async () => {
    const [one, other] = [await held(), await held()];
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
  test("show its state, its attempts and its history, and never the submission", async () => {
    const { platformId, record, id } = await rescheduled();
    const details = await admin.show(id);
    const { createdAt, ...state } = record;
    expect(details).toEqual({
      ...state,
      ...{ platformId, kycRecordId: id, step: "ask", notFound: 1, heldAt: null, leaseUntil: null },
      createdAt: createdAt.toISOString(),
      dueAt: expect.stringMatching(/^20.*Z$/),
      readAt: expect.stringMatching(/^20.*Z$/),
      history: [
        {
          settlement: "unsettled",
          status: null,
          subStatus: null,
          explanation: null,
          source: "submission",
          observedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(JSON.stringify(details)).not.toContain(aSubmission().name);
  });

  test("are null for an id that no record has", async () => {
    expect(await admin.show("kyc_none")).toBeNull();
    expect(await admin.lease("kyc_none", ask)).toBeNull();
    expect(await admin.settle("kyc_none", { outcome: "refused" })).toBeNull();
  });
});

describe("leasing a record", () => {
  test("is refused while an attempt owns it, with the end of the lease", async () => {
    const { platformId, record, id } = await claimed();
    const lease = (await theRow(platformId))?.lease_until;
    expect(await admin.lease(id, ask)).toEqual({ kind: "busy", until: lease });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ attempt: 1, status: "APPROVED" });
  });

  test("gives one of two operators a new attempt, and keeps workers away while the lease lasts", async () => {
    const { platformId, id } = await rescheduled();
    await set(id, "due_at = clock_timestamp()");
    const both = await Promise.all([admin.lease(id, ask), admin.lease(id, ask)]);
    expect(both).toContainEqual({ kind: "leased", platformId, kycRecordId: id, attempt: 2 });
    expect(both).toContainEqual({ kind: "busy", until: expect.any(Date) });
    expect((await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
    expect(await kyc.loadAttempt(platformId, { kycRecordId: id, attempt: 2 })).toMatchObject({ step: "ask" });
  });

  test("ends with the lease, after which a worker continues, when the operator's process died", async () => {
    const { platformId, id } = await rescheduled();
    await leased(id);
    const row = await theRow(platformId);
    expect(row?.due_at).toEqual(row?.lease_until);
    await set(id, "due_at = clock_timestamp(), lease_until = clock_timestamp()");
    expect(await kyc.leaseDue(1000)).toContainEqual({ platformId, kycRecordId: id, attempt: 3 });
  });

  test("that is held leaves it held, whatever the attempt does", async () => {
    const { platformId, record, id } = await held();
    const since = (await theRow(platformId))?.held_at;
    const first = await leased(id);
    expect(await theRow(platformId)).toMatchObject({ held_at: since, due_at: null, step: "ask" });

    await set(id, "lease_until = clock_timestamp()");
    expect(await kyc.leaseDue(1000)).toEqual([]);
    const second = await leased(id);
    await kyc.reschedule(platformId, first, { ...plan, step: "send" });
    expect(await theRow(platformId)).toMatchObject({
      attempt: 3,
      step: "ask",
      lease_until: expect.any(Date),
    });

    await kyc.reschedule(platformId, second, { ...plan, notFound: 2 });
    expect(await theRow(platformId)).toMatchObject({
      held_at: since,
      due_at: null,
      lease_until: null,
      not_found: 2,
    });
    const third = await leased(id);
    await kyc.storeVerdict(platformId, { ...record, ...third }, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ held_at: null, due_at: null, status: "APPROVED" });
  });

  test("that is decided leaves it decided when the attempt gets no answer", async () => {
    const { platformId, record, id } = await claimed();
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await kyc.reschedule(platformId, await leased(id), plan);
    expect(await theRow(platformId)).toMatchObject({ due_at: null, held_at: null, status: "APPROVED" });
  });
});

describe("leasing a record to send it", () => {
  test("follows the latest attempt only", async () => {
    const { platformId, id } = await held();
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

  test("is followed by asking from the start, when the operator's process died", async () => {
    const { platformId, id } = await held();
    await leased(id, { step: "send", after: 1 });
    await set(id, "lease_until = clock_timestamp()");
    const next = await leased(id);
    expect(await kyc.loadAttempt(platformId, next)).toMatchObject({ step: "ask", notFound: 0 });
  });

  test("is refused once it is settled", async () => {
    const { platformId, record, id } = await claimed();
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await admin.lease(id, { step: "send", after: 1 })).toEqual({ kind: "busy", until: null });
  });
});

describe("a manual decision", () => {
  const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

  test("settles a held record, in one transaction with its history row", async () => {
    const { platformId, id } = await held();
    const settled = await admin.settle(id, approved);
    expect(settled).toMatchObject({
      before: { settlement: "unsettled" },
      record: { settlement: "answered", status: "APPROVED", revision: null },
    });
    expect(await theRow(platformId)).toMatchObject({
      status: "APPROVED",
      card_account_id: "acct_1",
      held_at: null,
      due_at: null,
    });
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission" },
      { source: "person", status: "APPROVED", sub_status: "approved" },
    ]);
  });

  test("counts once, of two operators at the same time", async () => {
    const { platformId, id } = await rescheduled();
    const both = await Promise.all([admin.settle(id, approved), admin.settle(id, { outcome: "refused" })]);
    expect(both.map((one) => one?.before.settlement === "unsettled").sort()).toEqual([false, true]);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("that is not final keeps the record due", async () => {
    const { platformId, id } = await held();
    await admin.settle(id, { ...approved, subStatus: "pending_approval" });
    expect(await theRow(platformId)).toMatchObject({ due_at: expect.any(Date), held_at: null, step: "ask" });
  });

  test("gives way to the provider's own decision, before or after it", async () => {
    const { platformId, record, id } = await claimed();
    await admin.settle(id, { outcome: "refused" });
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_2"));
    expect(stored.record).toMatchObject({ settlement: "answered", status: "APPROVED", revision: 1 });
    expect(isReversal(stored.before, stored.record)).toBe(true);
    expect((await rowsOf("kyc_history", platformId)).map(({ source }) => source)).toEqual([
      "submission",
      "person",
      "provider",
    ]);
  });
});

describe("the audit has an entry of an operator", () => {
  const entriesOf = async (platformId: string) => {
    const entries = await audit.list(platformId, 100);
    return entries.filter(({ actor }) => actor !== "key_1").map(({ id: _id, at: _at, ...entry }) => entry);
  };

  test("who leases a record, to ask or to send again", async () => {
    const { platformId, id } = await rescheduled();
    const asked = await leased(id);
    await kyc.reschedule(platformId, asked, plan);
    await leased(id, { step: "send", after: asked.attempt });
    expect(await entriesOf(platformId)).toEqual([
      { ...by("record.send"), subject: id, outcome: "done" },
      { ...by("record.ask"), subject: id, outcome: "done" },
    ]);
  });

  test("who settles one", async () => {
    const { platformId, id } = await rescheduled();
    await admin.settle(id, { outcome: "refused" });
    expect(await entriesOf(platformId)).toEqual([{ ...by("record.settle"), subject: id, outcome: "done" }]);
  });

  test("and none where nothing changed", async () => {
    const { platformId, id, record } = await claimed();
    expect(await admin.lease(id, ask)).toMatchObject({ kind: "busy" });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await admin.settle(id, { outcome: "refused" });
    expect(await entriesOf(platformId)).toEqual([]);
  });
});
