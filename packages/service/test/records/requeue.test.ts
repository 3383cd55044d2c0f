import { describe, expect, test } from "vitest";
import { requeueRecordManually } from "../../src/records/requeue.ts";
import { requeueRecords } from "../../src/records/requeue-many.ts";
import { readRecordState } from "../../src/records/state.ts";
import { needingAttention, retryPlan } from "../support/attention-record.ts";
import { codeOf, operatorCall, personCall } from "../support/calls.ts";
import { makeSearchable } from "../support/searchable.ts";

const world = await makeSearchable();
const { admin, audit, insert, kyc, platformWithUser, ports, records, set, submitted } = world;
const isoTime = expect.stringMatching(/^20.*Z$/);

const requeue = (kycRecordId: string, call = operatorCall) =>
  requeueRecordManually.execute(ports, call, { kycRecordId }).then(({ data }) => data);
const dueIds = async () => (await kyc.leaseDue(1000)).map(({ kycRecordId }) => kycRecordId);
/** The records whose requeue is audited. */
const auditedAt = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries
    .filter(({ operation }) => operation.startsWith("records."))
    .map(({ subject }) => subject)
    .sort();

describe("requeueing a record", () => {
  test("makes a record that needs attention due for a query, once, and is audited with it", async () => {
    const { platformId, kycRecordId } = await needingAttention(world);
    const call = personCall(["ops.records.act"]);
    const results = await Promise.allSettled([requeue(kycRecordId, call), requeue(kycRecordId, call)]);
    const done = results.filter((result) => result.status === "fulfilled");
    const { data: state } = await readRecordState.execute(ports, operatorCall, { kycRecordId });
    expect(done).toEqual([{ status: "fulfilled", value: { ...state, readAt: isoTime } }]);
    expect(results.filter((result) => result.status === "rejected")).toMatchObject([
      {
        reason: {
          code: "KYC_RECORD_CONFLICT",
          details: { violations: [{ message: "The record does not need attention. Workers attempt it." }] },
        },
      },
    ]);
    expect(await records.show(kycRecordId)).toMatchObject({
      needsAttentionSince: null,
      step: "ask",
      notFound: 0,
    });
    expect((await dueIds()).filter((due) => due === kycRecordId)).toHaveLength(1);
    const { entries } = await audit.list([platformId], { limit: 1 });
    const entry = { operation: "records.requeue", person: "per_ada", actor: "key_1" };
    expect(entries).toMatchObject([{ ...entry, subject: kycRecordId, outcome: "done" }]);
    expect(await auditedAt(platformId)).toEqual([kycRecordId]);
  });

  test("gives workers the same time again before the record needs attention", async () => {
    const { platformId, record, kycRecordId } = await needingAttention(world);
    const attemptAgain = async () => {
      const attempt = (await kyc.leaseDue(1000)).find((due) => due.kycRecordId === kycRecordId);
      await kyc.reschedule(platformId, { ...record, ...attempt }, retryPlan);
      return records.show(kycRecordId);
    };
    await set(kycRecordId, "created_at = created_at - interval '3 days'");
    await requeue(kycRecordId);
    expect(await attemptAgain()).toMatchObject({ needsAttentionSince: null, dueAt: isoTime });
    await set(kycRecordId, "requeued_at = requeued_at - interval '3 days', due_at = clock_timestamp()");
    expect(await attemptAgain()).toMatchObject({ needsAttentionSince: isoTime, dueAt: null });
  });

  test("waits for an operator's attempt that owns the record", async () => {
    const { kycRecordId } = await needingAttention(world);
    await records.lease(kycRecordId, { step: "ask" });
    const { leaseUntil, dueAt } = await requeue(kycRecordId);
    expect([dueAt, leaseUntil]).toEqual([leaseUntil, expect.any(String)]);
    expect(await dueIds()).not.toContain(kycRecordId);
  });

  test("changes no record that needs no attention, and finds none that does not exist", async () => {
    const { platformId, record, kycRecordId } = await submitted();
    await kyc.reschedule(platformId, record, retryPlan);
    const before = await records.show(kycRecordId);
    expect(await codeOf(requeue(kycRecordId))).toBe("KYC_RECORD_CONFLICT");
    expect(await records.show(kycRecordId)).toMatchObject({ ...before, readAt: isoTime });
    expect(await codeOf(requeue("kyc_none"))).toBe("KYC_RECORD_NOT_FOUND");
    expect(await auditedAt(platformId)).toEqual([]);
  });
});

describe("requeueing many records", () => {
  const requeueMany = (platformIds: string[], input: object = {}, call = operatorCall) =>
    requeueRecords.execute(ports, call, { platformIds, preview: false, ...input }).then(({ data }) => data);

  let created = 0;
  /** A platform with this many records that need attention, the oldest first, and their ids. */
  async function waiting(count: number) {
    const platformId = await platformWithUser();
    const ids = Array.from({ length: count }, () => {
      created += 1;
      return `kyc_r${String(created).padStart(6, "0")}`;
    });
    const createdAt = (index: number) => `2027-01-31T12:00:${String(index).padStart(2, "0")}Z`;
    await insert(
      ...ids.map((id, nth) => ({ id, platformId, createdAt: createdAt(nth), needsAttention: true })),
    );
    return { platformId, ids };
  }
  const waitingIn = async (platforms: readonly string[]) => {
    const ids = `select id from kyc_records where platform_id = any($1) and needs_attention_since is not null`;
    return (await admin(`${ids} order by created_at`, [platforms])).map(({ id }) => id);
  };

  test("only counts them in a preview", async () => {
    const { platformId, ids } = await waiting(3);
    const counted = { matching: 3, requeued: 0, more: true };
    expect(await requeueMany([platformId], { preview: true, limit: 2 })).toEqual(counted);
    expect(await waitingIn([platformId])).toEqual(ids);
    expect(await auditedAt(platformId)).toEqual([]);
  });

  test("takes the oldest of these platforms first, with an audit entry each, and a repeated call continues", async () => {
    const [one, two, other] = [await waiting(3), await waiting(2), await waiting(1)];
    const platforms = [one.platformId, two.platformId];
    const three = () => requeueMany(platforms, { limit: 3 });
    expect(await three()).toEqual({ matching: 5, requeued: 3, more: true });
    expect((await waitingIn(platforms)).sort()).toEqual([one.ids[2], two.ids[1]].sort());
    expect(await three()).toEqual({ matching: 2, requeued: 2, more: false });
    expect(await three()).toEqual({ matching: 0, requeued: 0, more: false });
    for (const { platformId, ids } of [one, two]) {
      expect(await auditedAt(platformId)).toEqual(ids);
    }
    expect(await waitingIn([other.platformId])).toEqual(other.ids);
    const due = await admin(
      "select due_at <= clock_timestamp() as due, step from kyc_records where platform_id = $1",
      [one.platformId],
    );
    expect(due).toEqual(one.ids.map(() => ({ due: true, step: "ask" })));
  });

  test("takes those of a period only", async () => {
    const { platformId, ids } = await waiting(3);
    const period = { createdAfter: "2027-01-31T12:00:01.000Z", createdBefore: "2027-01-31T12:00:01.000Z" };
    expect(await requeueMany([platformId], period)).toEqual({ matching: 1, requeued: 1, more: false });
    expect(await waitingIn([platformId])).toEqual([ids[0], ids[2]]);
  });

  test("skips what others requeue at the same time: each record has one entry", async () => {
    const { platformId, ids } = await waiting(40);
    const [single, ...many] = await Promise.all([
      Promise.all(ids.slice(0, 10).map((id) => codeOf(requeue(id)))),
      requeueMany([platformId], { limit: 40 }),
      requeueMany([platformId], { limit: 40 }),
    ]);
    const alone = single.filter((result) => result === "done").length;
    expect(many.reduce((sum, { requeued }) => sum + requeued, alone)).toBe(40);
    expect(await auditedAt(platformId)).toEqual(ids);
    expect(await waitingIn([platformId])).toEqual([]);
  });

  test("reaches no record of a person without a platform", async () => {
    await waiting(1);
    const nobody = personCall(["ops.records.act"], { platforms: [] });
    const { data } = await requeueRecords.execute(ports, nobody, { preview: false });
    expect(data).toEqual({ matching: 0, requeued: 0, more: false });
  });

  test.each([{ preview: undefined }, { limit: 0 }, { limit: 201 }])("refuses %j", async (input) => {
    const { platformId, ids } = await waiting(1);
    expect(await codeOf(requeueMany([platformId], input))).toBe("INVALID_INPUT");
    expect(await waitingIn([platformId])).toEqual(ids);
  });
});
