import { isReversal } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { kycAdmin, kycRecordsRepository, listAudit } from "../../src/index.ts";
import { reader } from "../support/rows.ts";
import { aClaim, answered, aSubmission, keys, makeWorld } from "../support/world.ts";

const { kyc, platform, urls, database } = await makeWorld();
const ada = { actor: "person:ada", requestId: null, address: null };
const desk = kycAdmin(database, { leaseSeconds: 30, by: ada });
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

/** A record whose first attempt learned nothing, and which waits for the next one. */
async function postponed(platformId?: string) {
  const made = await claimed(platformId);
  await kyc.reschedule(made.platformId, made.record, plan);
  return made;
}

async function held(platformId?: string) {
  const made = await claimed(platformId);
  const impatient = kycRecordsRepository(database, { keys, holdAfterSeconds: 0 });
  await impatient.reschedule(made.platformId, made.record, plan);
  return made;
}

async function taken(id: string, how: Parameters<typeof desk.take>[1] = ask) {
  const result = await desk.take(id, how);
  if (result?.kind !== "leased") throw new Error(`not taken: ${JSON.stringify(result)}`);
  return result;
}

describe("the list of what waits", () => {
  test("shows held records first, then unsettled ones, each oldest first, and nothing that is decided", async () => {
    const platformId = await platform();
    const decided = await claimed(platformId);
    await kyc.storeVerdict(platformId, decided.record, answered("approved"));
    const tracked = await claimed(platformId);
    await kyc.storeVerdict(platformId, tracked.record, answered("pending_approval"));
    await set(tracked.id, "created_at = created_at - interval '1 day'");
    const young = await postponed(platformId);
    const old = await postponed(platformId);
    await set(old.id, "created_at = created_at - interval '1 hour'");
    const stuck = await held(platformId);

    const list = await desk.list({ platformId, limit: 10 });
    expect(list.map(({ kycRecordId }) => kycRecordId)).toEqual([stuck.id, old.id, young.id, tracked.id]);
    expect(list[0]).toEqual({
      platformId,
      kycRecordId: stuck.id,
      settlement: "unsettled",
      attempt: 1,
      step: "ask",
      notFound: 1,
      createdAt: stuck.record.createdAt,
      dueAt: null,
      leaseUntil: null,
      heldAt: expect.any(Date),
      readAt: expect.any(Date),
    });
    const ids = async (filter: object) =>
      (await desk.list({ platformId, limit: 10, ...filter })).map(({ kycRecordId }) => kycRecordId);
    expect(await ids({ stuckSeconds: 600 })).toEqual([stuck.id, old.id]);
    expect(await ids({ limit: 1 })).toEqual([stuck.id]);
    expect(await ids({ platformId: await platform() })).toEqual([]);
  });

  test("is of all platforms, with ids and states and nothing else", async () => {
    const [one, other] = [await held(), await held()];
    const list = await desk.list({ limit: 1000 });
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

describe("a record's file", () => {
  test("shows its state, its job and its history, and never the submission", async () => {
    const { platformId, record, id } = await postponed();
    const file = await desk.show(id);
    expect(file).toEqual({
      record,
      job: expect.objectContaining({ platformId, kycRecordId: id, step: "ask", notFound: 1, heldAt: null }),
      history: [
        {
          settlement: "unsettled",
          status: null,
          subStatus: null,
          source: "submission",
          observedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(JSON.stringify(file)).not.toContain(aSubmission().name);
  });

  test("is not there for an id that nobody has", async () => {
    expect(await desk.show("kyc_none")).toBeNull();
    expect(await desk.take("kyc_none", ask)).toBeNull();
    expect(await desk.settle("kyc_none", { outcome: "refused" })).toBeNull();
  });
});

describe("taking a record", () => {
  test("is refused while an attempt owns it, with the time that ends it", async () => {
    const { platformId, record, id } = await claimed();
    const lease = (await theRow(platformId))?.lease_until;
    expect(await desk.take(id, ask)).toEqual({ kind: "busy", until: lease });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ attempt: 1, status: "APPROVED" });
  });

  test("gives one of two people a new attempt, and keeps workers away while it lasts", async () => {
    const { platformId, id } = await postponed();
    await set(id, "due_at = clock_timestamp()");
    const both = await Promise.all([desk.take(id, ask), desk.take(id, ask)]);
    expect(both).toContainEqual({ kind: "leased", platformId, kycRecordId: id, attempt: 2 });
    expect(both).toContainEqual({ kind: "busy", until: expect.any(Date) });
    expect((await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId)).not.toContain(id);
    expect(await kyc.loadAttempt(platformId, { kycRecordId: id, attempt: 2 })).toMatchObject({ step: "ask" });
  });

  test("ends with a lease that a worker follows, when the person's process died", async () => {
    const { platformId, id } = await postponed();
    await taken(id);
    const row = await theRow(platformId);
    expect(row?.due_at).toEqual(row?.lease_until);
    await set(id, "due_at = clock_timestamp(), lease_until = clock_timestamp()");
    expect(await kyc.leaseDue(1000)).toContainEqual({ platformId, kycRecordId: id, attempt: 3 });
  });

  test("that is held leaves it held, whatever becomes of the attempt", async () => {
    const { platformId, record, id } = await held();
    const since = (await theRow(platformId))?.held_at;
    const first = await taken(id);
    expect(await theRow(platformId)).toMatchObject({ held_at: since, due_at: null, step: "ask" });

    await set(id, "lease_until = clock_timestamp()");
    expect(await kyc.leaseDue(1000)).toEqual([]);
    const second = await taken(id);
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
    const third = await taken(id);
    await kyc.storeVerdict(platformId, { ...record, ...third }, answered("approved"));
    expect(await theRow(platformId)).toMatchObject({ held_at: null, due_at: null, status: "APPROVED" });
  });

  test("that is decided leaves it decided when nothing was learned", async () => {
    const { platformId, record, id } = await claimed();
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await kyc.reschedule(platformId, await taken(id), plan);
    expect(await theRow(platformId)).toMatchObject({ due_at: null, held_at: null, status: "APPROVED" });
  });
});

describe("taking a record to send it", () => {
  test("is for the one who asked last", async () => {
    const { platformId, id } = await held();
    const asked = await taken(id);
    await kyc.reschedule(platformId, asked, plan);
    await kyc.reschedule(platformId, await taken(id), plan);
    expect(await desk.take(id, { step: "send", after: asked.attempt })).toEqual({
      kind: "busy",
      until: null,
    });
    const sending = await taken(id, { step: "send", after: asked.attempt + 1 });
    expect(await kyc.loadAttempt(platformId, sending)).toMatchObject({ step: "send" });
  });

  test("is followed by asking from the start, when the person's process died", async () => {
    const { platformId, id } = await held();
    await taken(id, { step: "send", after: 1 });
    await set(id, "lease_until = clock_timestamp()");
    const next = await taken(id);
    expect(await kyc.loadAttempt(platformId, next)).toMatchObject({ step: "ask", notFound: 0 });
  });

  test("is refused once it is settled", async () => {
    const { platformId, record, id } = await claimed();
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await desk.take(id, { step: "send", after: 1 })).toEqual({ kind: "busy", until: null });
  });
});

describe("a person's word", () => {
  const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

  test("settles a held record, in one transaction with its history row", async () => {
    const { platformId, id } = await held();
    const settled = await desk.settle(id, approved);
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

  test("comes once, from two people at the same time", async () => {
    const { platformId, id } = await postponed();
    const both = await Promise.all([desk.settle(id, approved), desk.settle(id, { outcome: "refused" })]);
    expect(both.map((one) => one?.before.settlement === "unsettled").sort()).toEqual([false, true]);
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
  });

  test("that is not final has the provider asked on", async () => {
    const { platformId, id } = await held();
    await desk.settle(id, { ...approved, subStatus: "pending_approval" });
    expect(await theRow(platformId)).toMatchObject({ due_at: expect.any(Date), held_at: null, step: "ask" });
  });

  test("gives way to the provider's own decision, which was under way or comes later", async () => {
    const { platformId, record, id } = await claimed();
    await desk.settle(id, { outcome: "refused" });
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

describe("what people do is noted in the audit", () => {
  const actsOf = async (platformId: string) => {
    const entries = await listAudit(database, platformId, 100);
    return entries.filter(({ actor }) => actor !== "key_1").map(({ id: _id, at: _at, ...entry }) => entry);
  };

  test("when they take a record, to ask or to send again", async () => {
    const { platformId, id } = await postponed();
    const asked = await taken(id);
    await kyc.reschedule(platformId, asked, plan);
    await taken(id, { step: "send", after: asked.attempt });
    expect(await actsOf(platformId)).toEqual([
      { ...ada, act: "record.resend", subject: id, outcome: "done" },
      { ...ada, act: "record.ask", subject: id, outcome: "done" },
    ]);
  });

  test("when they settle one", async () => {
    const { platformId, id } = await postponed();
    await desk.settle(id, { outcome: "refused" });
    expect(await actsOf(platformId)).toEqual([
      { ...ada, act: "record.settle", subject: id, outcome: "done" },
    ]);
  });

  test("and not when they changed nothing", async () => {
    const { platformId, id, record } = await claimed();
    expect(await desk.take(id, ask)).toMatchObject({ kind: "busy" });
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await desk.settle(id, { outcome: "refused" });
    expect(await actsOf(platformId)).toEqual([]);
  });
});
