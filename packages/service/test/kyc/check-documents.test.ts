import { randomUUID } from "node:crypto";
import { subscribedEventTypes } from "@cardbridge/domain";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { unavailable } from "../../src/database/errors.ts";
import type { Database } from "../../src/database.ts";
import { checkDocuments } from "../../src/kyc/check-documents.ts";
import { countDocuments } from "../../src/kyc/count-documents.ts";
import { listKycChanges } from "../../src/kyc/list-changes.ts";
import { getRecord } from "../../src/records/get.ts";
import { callOf, operatorCall } from "../support/calls.ts";
import { makeWebhookWorld } from "../support/webhooks.ts";
import { answered, aRequest, someone } from "../support/world.ts";

/** A database with approved records, and the worker's pass over their documents. */
async function makeDocuments() {
  const world = await makeWebhookWorld({ maxConnections: 30, until: onTestFinished });
  const { admin, kyc, ports, submitted } = world;
  const observed: unknown[][] = [];
  const observer = { observe: (...event: unknown[]) => void observed.push(event) };
  return {
    ...world,
    observed,
    /** Approves a record of another user. */
    async approved(documentExpiryDate = "2031-05-01", platformId?: string) {
      const names = someone(randomUUID());
      const one = await submitted({ ...names, documentExpiryDate }, platformId);
      await kyc.storeVerdict(one.platformId, one.record, answered("approved"));
      return { ...one, ...names };
    },
    check: (
      at?: string,
      {
        limit = 200,
        expiryNoticeDays = 60,
        database,
      }: { limit?: number; expiryNoticeDays?: number; database?: Database } = {},
    ) =>
      checkDocuments(
        { ...ports, observer, ...(database && { database }) },
        { expiryNoticeDays, limit, ...(at !== undefined && { at: new Date(at) }) },
      ),
    async state(kycRecordId: string) {
      const [row] = await admin(
        "select document_expiry as expiry, document_check_at as next from kyc_records where id = $1",
        [kycRecordId],
      );
      return row as { expiry: string | null; next: Date | null };
    },
    /** The history of a record as it was written: each event, or null for a change of the state. */
    async history(kycRecordId: string) {
      const rows = await admin("select * from kyc_history where record_id = $1 order by id", [kycRecordId]);
      return rows.map(({ event }) => event);
    },
    eventsOf: async () =>
      (
        await admin(
          "select record_id, event ->> 'type' as type from kyc_history where event is not null order by id",
        )
      ).map(({ record_id, type }) => `${record_id} ${type}`),
    countOf: async (state: string) =>
      (await countDocuments(ports)).find((counted) => counted.state === state)?.count,
    neverChecked: (kycRecordId: string) =>
      admin(
        "update kyc_records set document_expiry = null, document_check_at = default, approved_at = null where id = $1",
        [kycRecordId],
      ),
  };
}

const expiring = { type: "kyc.document_expiring", documentExpiry: "expiring" };
const expired = { type: "kyc.document_expired", documentExpiry: "expired" };

describe("a document", () => {
  test("changes its state at noon UTC, when its date has ended in the latest time zone", async () => {
    const { approved, check, history, state } = await makeDocuments();
    const { kycRecordId } = await approved("2031-05-01");
    const month = (text: string) => new Date(`${text}-01T00:00:00Z`);
    expect(await state(kycRecordId)).toEqual({ expiry: "valid", next: month("2031-03") });
    expect(await check("2031-02-28T23:59:59.999Z")).toBe(0);

    expect(await check("2031-03-03T11:59:59.999Z")).toBe(1);
    const noon = new Date("2031-03-03T12:00:00Z");
    expect(await state(kycRecordId)).toEqual({ expiry: "valid", next: noon });
    expect(await check("2031-03-03T11:59:59.999Z")).toBe(0);
    expect(await check("2031-03-03T12:00:00.000Z")).toBe(1);
    expect(await state(kycRecordId)).toEqual({ expiry: "expiring", next: month("2031-05") });

    expect(await check("2031-05-02T11:59:59.999Z")).toBe(1);
    expect(await state(kycRecordId)).toMatchObject({ expiry: "expiring" });
    expect(await history(kycRecordId)).toEqual([null, null, expiring]);
    expect(await check("2031-05-02T12:00:00.000Z")).toBe(1);
    expect(await state(kycRecordId)).toEqual({ expiry: "expired", next: null });
    expect(await history(kycRecordId)).toEqual([null, null, expiring, expired]);
    expect(await check("2099-01-01T00:00:00Z")).toBe(0);
  });

  test("expires from the configured number of days before its date on", async () => {
    const { approved, check, neverChecked, state } = await makeDocuments();
    const { kycRecordId } = await approved("2031-05-01");
    const expiryNoticeDays = 90;
    for (const [at, expiry] of [
      ["2031-02-01T11:59:59.999Z", "valid"],
      ["2031-02-01T12:00:00Z", "expiring"],
    ] as const) {
      await neverChecked(kycRecordId);
      expect(await check(at, { expiryNoticeDays })).toBe(1);
      expect(await state(kycRecordId)).toMatchObject({ expiry });
    }
  });

  test("that is permanent is never looked at again, and one that expired before the approval is at once", async () => {
    const { approved, check, history, kyc, state, submitted } = await makeDocuments();
    const permanent = await submitted({ ...someone("permanent"), documentPermanentlyValid: true });
    await kyc.storeVerdict(permanent.platformId, permanent.record, answered("approved"));
    const late = await approved("2020-05-01");
    const waiting = await submitted({ ...someone("waiting"), documentExpiryDate: "2020-05-01" });
    expect(await check()).toBe(1);
    expect(await state(permanent.kycRecordId)).toEqual({ expiry: "permanent", next: null });
    expect(await history(late.kycRecordId)).toEqual([null, null, expired]);
    expect(await history(waiting.kycRecordId)).toEqual([null]);
    // The event follows the approval, however late that is.
    await kyc.storeVerdict(waiting.platformId, waiting.record, answered("approved"));
    expect(await check()).toBe(1);
    expect(await history(waiting.kycRecordId)).toEqual([null, null, expired]);
  });

  test("of an approval that was revoked has no event, until the provider approves again", async () => {
    const { approved, check, database, history, kyc } = await makeDocuments();
    const { about } = await approved("2020-05-01");
    const revokedAfterLease: Database = {
      ...database,
      async asPlatform(platformId, work) {
        await kyc.recordProviderUpdate(about, answered("rejected", null, 2));
        return database.asPlatform(platformId, work);
      },
    };
    expect(await check("2030-01-01T10:00:00Z", { database: revokedAfterLease })).toBe(1);
    expect(await check("2030-01-01T11:00:00Z")).toBe(0);
    await kyc.recordProviderUpdate(about, answered("approved", null, 3));
    expect(await check("2030-01-01T11:00:00Z")).toBe(1);
    expect(await history(about.reference)).toEqual([null, null, null, null, expired]);
  });
});

describe("an approval that a later one has replaced", () => {
  test("has no expiry and no event, from the approval of its renewal on", async () => {
    const { approved, check, countOf, history, kyc, state } = await makeDocuments();
    const { platformId, kycRecordId, record, memberId, email } = await approved("2020-05-01");
    expect(await check()).toBe(1);
    const renewal = aRequest({ memberId, email, documentNumber: "P7654321" });
    const { record: second } = await kyc.createOrReplay(platformId, renewal);
    expect(second.renews).toBe(record.kycRecordId);
    expect(await countOf("expired")).toBe(1);
    await kyc.storeVerdict(platformId, second, answered("rejected"));
    expect(await state(kycRecordId)).toMatchObject({ expiry: "expired" });
    await kyc.recordProviderUpdate(
      { reference: second.kycRecordId, userReference: second.externalUserId },
      answered("approved", null, 2),
    );
    expect(await state(kycRecordId)).toEqual({ expiry: null, next: null });
    expect(await countOf("expired")).toBe(0);
    expect(await check("2030-01-01T00:00:00Z")).toBe(0);
    expect(await history(kycRecordId)).toEqual([null, null, expired]);
  });

  test("has no event if its date passes while the renewal is approved, or after that was revoked", async () => {
    const { admin, approved, check, history, kyc, state } = await makeDocuments();
    const { platformId, kycRecordId, memberId, email } = await approved("2020-05-01");
    const renewal = aRequest({ memberId, email, documentNumber: "P7654321" });
    const { record: second } = await kyc.createOrReplay(platformId, renewal);
    await kyc.storeVerdict(platformId, second, answered("approved", null, 1));
    const reference = { reference: second.kycRecordId, userReference: second.externalUserId };
    await kyc.recordProviderUpdate(reference, answered("rejected", null, 2));
    // As a worker that leased the record before the approval, or one of an earlier version, sees it.
    await admin("update kyc_records set document_check_at = now() where id = $1", [kycRecordId]);
    expect(await check()).toBe(1);
    expect(await state(kycRecordId)).toEqual({ expiry: null, next: null });
    expect(await history(kycRecordId)).toEqual([null, null]);
  });
});

describe("the events", () => {
  test("are in the order of the record's changes, in webhooks by type, in the change list and for operators", async () => {
    const world = await makeDocuments();
    const { admin, approved, check, endpoint, endpoints, kyc, platform, ports } = world;
    const platformId = await platform();
    const call = callOf("platform", { platformId, scopes: ["kyc:read"] });
    const { lastEventId } = (await listKycChanges.execute(ports, call, {})).data;
    const every = await endpoint(platformId, [...subscribedEventTypes]);
    const last = await endpoint(platformId, ["kyc.document_expired"]);
    const none = await endpoint(platformId, ["card.updated"]);
    const { about, kycRecordId, externalUserId } = await approved("2031-05-01", platformId);
    await check("2031-03-03T12:00:00Z");
    await kyc.recordProviderUpdate(about, answered("approved", "acct_2", 2));
    await check("2031-05-02T12:00:00Z");

    const sent = await endpoints.ofRecord(platformId, kycRecordId);
    const of = (id: string) =>
      sent.flatMap(({ endpointId, sequence, type }) => (endpointId === id ? [[sequence, type]] : []));
    const changed = ["kyc.updated", "kyc.updated"];
    const types = [...changed, "kyc.document_expiring", "kyc.updated", "kyc.document_expired"];
    expect(of(every)).toEqual(types.map((type, index) => [index + 1, type]));
    expect(of(last)).toEqual([[5, "kyc.document_expired"]]);
    expect(of(none)).toEqual([]);
    const ids = { kycRecordId, externalUserId };
    const [stored] = await admin("select data from webhook_events where type = 'kyc.document_expired'");
    expect(stored).toEqual({ data: { ...ids, sequence: 5, documentExpiry: "expired" } });

    const { changes } = (await listKycChanges.execute(ports, call, { lastEventId })).data;
    expect(changes.map(({ type, data }) => [data.sequence, type])).toEqual(
      types.map((type, index) => [index + 1, type]),
    );
    expect(changes[2]).toMatchObject({ data: { ...ids, documentExpiry: "expiring" } });

    const { data } = await getRecord.execute(ports, operatorCall, { kycRecordId });
    expect(data).toMatchObject({
      documentExpiry: "expired",
      history: [{}, {}, {}],
      expiryHistory: [{ documentExpiry: "expiring" }, { documentExpiry: "expired" }],
    });
    // Readers of the state's history see its changes only.
    expect((await kyc.history(platformId, kycRecordId))?.history).toHaveLength(3);
  });

  test("are written once by 20 concurrent passes, and again by none", async () => {
    const { admin, approved, check, eventsOf, platform } = await makeDocuments();
    const platforms = [await platform(), await platform()];
    const records: string[] = [];
    for (let number = 0; number < 60; number += 1)
      records.push((await approved("2020-05-01", platforms[number % 2])).kycRecordId);
    const leased = await Promise.all(Array.from({ length: 20 }, () => check(undefined, { limit: 10 })));
    expect(leased.reduce((sum, count) => sum + count)).toBe(60);
    const once = records.map((id) => `${id} kyc.document_expired`).toSorted();
    expect((await eventsOf()).toSorted()).toEqual(once);
    await admin("update kyc_records set document_check_at = default");
    await Promise.all(Array.from({ length: 20 }, () => check()));
    expect((await eventsOf()).toSorted()).toEqual(once);
  });

  test("of a pass that dies before or after its commit come once, at the latest an hour later", async () => {
    const { approved, check, database, eventsOf, state } = await makeDocuments();
    const { kycRecordId } = await approved("2020-05-01");
    const dying = (after: boolean): Database => ({
      ...database,
      async asPlatform(platformId, work) {
        if (after) await database.asPlatform(platformId, work);
        throw unavailable(new Error("died"));
      },
    });
    const died = { code: "SERVICE_UNAVAILABLE" };
    const first = check("2030-01-01T10:00:00Z", { database: dying(false) });
    await expect(first).rejects.toMatchObject(died);
    expect(await eventsOf()).toEqual([]);
    expect(await state(kycRecordId)).toMatchObject({ next: new Date("2030-01-01T11:00:00Z") });
    expect(await check("2030-01-01T10:59:59.999Z")).toBe(0);
    const second = check("2030-01-01T11:00:00Z", { database: dying(true) });
    await expect(second).rejects.toMatchObject(died);
    expect(await eventsOf()).toEqual([`${kycRecordId} kyc.document_expired`]);
    expect(await check("2030-01-02T00:00:00Z")).toBe(0);
  });
});

describe("a pass", () => {
  test("looks at known dates before those that an earlier version left, and at most at its limit", async () => {
    const { approved, check, neverChecked, state } = await makeDocuments();
    const filled = [await approved("2033-05-01"), await approved("2020-01-01"), await approved("2032-05-01")];
    const known = await approved("2031-05-01");
    for (const { kycRecordId } of filled) await neverChecked(kycRecordId);
    const at = "2031-03-03T12:00:00Z";
    expect(await check(at, { limit: 1 })).toBe(1);
    expect(await state(known.kycRecordId)).toMatchObject({ expiry: "expiring" });
    expect(await check(at, { limit: 2 })).toBe(2);
    expect(await check(at, { limit: 2 })).toBe(1);
    const states = await Promise.all(
      filled.map(async ({ kycRecordId }) => (await state(kycRecordId)).expiry),
    );
    expect(states).toEqual(["valid", "expired", "valid"]);
    expect(await check(at)).toBe(0);
  });

  test("observes a record that cannot be read, without its data, and goes on with the others", async () => {
    const world = await makeDocuments();
    const { admin, approved, check, observed, platform, state } = world;
    const platformId = await platform();
    const lost = await approved("2020-05-01", platformId);
    const [{ data_key: key } = {}] = await admin("select data_key from users where id = $1", [
      lost.externalUserId,
    ]);
    const setKey = (value: unknown) =>
      admin("update users set data_key = $1 where id = $2", [value, lost.externalUserId]);
    await setKey(Buffer.alloc(60, 1));
    const other = await approved("2020-05-01", platformId);
    expect(await check("2030-01-01T10:00:00Z")).toBe(2);
    expect(await state(other.kycRecordId)).toEqual({ expiry: "expired", next: null });
    expect(await state(lost.kycRecordId)).toMatchObject({ next: new Date("2030-01-01T11:00:00Z") });
    expect(observed).toEqual([
      ["kyc_not_loaded", { kycRecordId: lost.kycRecordId, reason: "not-authentic" }],
    ]);
    expect(await check("2030-01-01T10:59:59.999Z")).toBe(0);
    await setKey(key);
    expect(await check("2030-01-01T11:00:00Z")).toBe(1);
    expect(await state(lost.kycRecordId)).toEqual({ expiry: "expired", next: null });
  });

  test("does not wait for a locked record, which is due again in an hour", async () => {
    const { approved, check, database, state, urls } = await makeDocuments();
    const { kycRecordId } = await approved("2020-05-01");
    const at = "2030-01-01T10:00:00Z";
    const locking = new Client(urls.adminUrl);
    await locking.connect();
    onTestFinished(() => locking.end());
    const lock = "begin; select from kyc_records for no key update";
    await locking.query(lock);
    expect(await check(at)).toBe(0);
    await locking.query("rollback");
    const lockedAfterLease: Database = {
      ...database,
      async asPlatform(platformId, work) {
        await locking.query(lock);
        return database.asPlatform(platformId, work).finally(() => locking.query("rollback"));
      },
    };
    expect(await check(at, { database: lockedAfterLease })).toBe(1);
    expect(await state(kycRecordId)).toMatchObject({ next: new Date("2030-01-01T11:00:00Z") });
    expect(await check("2030-01-01T11:00:00Z")).toBe(1);
    expect(await state(kycRecordId)).toEqual({ expiry: "expired", next: null });
  });

  test("writes nothing about an erased user, also of an earlier version", async () => {
    const { admin, approved, check, erasures, eventsOf, neverChecked, state } = await makeDocuments();
    const { platformId, externalUserId, kycRecordId } = await approved("2020-05-01");
    await erasures.request(platformId, externalUserId);
    expect(await erasures.eraseDue(10)).toBe(1);
    expect(await state(kycRecordId)).toEqual({ expiry: null, next: null });
    expect(await check()).toBe(0);
    await neverChecked(kycRecordId);
    expect(await check()).toBe(1);
    expect(await state(kycRecordId)).toEqual({ expiry: null, next: null });
    expect(await eventsOf()).toEqual([]);
    expect(await admin("select from webhook_events")).toEqual([]);
  });
});

test("documents are counted by state, with the time since the oldest look was due", async () => {
  const { admin, approved, check, neverChecked, ports } = await makeDocuments();
  const counts = async () =>
    Object.fromEntries((await countDocuments(ports)).map(({ state, ...count }) => [state, count]));
  const of = (count: number, oldestSeconds = 0) => ({ count, oldestSeconds });
  expect(await counts()).toEqual({ expiring: of(0), expired: of(0), unchecked: of(0), due: of(0) });
  const old = await approved("2020-05-01");
  await approved("2020-05-01");
  const soon = await approved(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10));
  await check();
  await neverChecked(old.kycRecordId);
  await admin("update kyc_records set document_check_at = now() - interval '600 seconds' where id = $1", [
    soon.kycRecordId,
  ]);
  expect(await counts()).toEqual({
    expiring: of(1),
    expired: of(1),
    unchecked: of(1),
    due: of(1, expect.closeTo(600, -2) as unknown as number),
  });
});
