import { describe, expect, test } from "vitest";
import { makeSearchable } from "../support/searchable.ts";
import { aCaller } from "../support/world.ts";

const { admin, audit, insert, platformWithUser, records } = await makeSearchable();
const { requeue, requeueMany } = records;
const by = { ...aCaller, operation: "records.requeueMany" };

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
const auditedAt = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries.map(({ subject }) => subject).sort();

describe("requeueing many records", () => {
  test("only counts them with the limit 0", async () => {
    const { platformId, ids } = await waiting(3);
    expect(await requeueMany([platformId], {}, 0, by)).toEqual({ matching: 3, requeued: 0, more: true });
    expect(await waitingIn([platformId])).toEqual(ids);
    expect(await auditedAt(platformId)).toEqual([]);
  });

  test("takes the oldest of these platforms first, with an audit entry each, and a repeated call continues", async () => {
    const [one, two, other] = [await waiting(3), await waiting(2), await waiting(1)];
    const platforms = [one.platformId, two.platformId];
    expect(await requeueMany(platforms, {}, 3, by)).toEqual({ matching: 5, requeued: 3, more: true });
    expect((await waitingIn(platforms)).sort()).toEqual([one.ids[2], two.ids[1]].sort());
    expect(await requeueMany(platforms, {}, 3, by)).toEqual({ matching: 2, requeued: 2, more: false });
    expect(await requeueMany(platforms, {}, 3, by)).toEqual({ matching: 0, requeued: 0, more: false });
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
    expect(await requeueMany([platformId], period, 9, by)).toEqual({ matching: 1, requeued: 1, more: false });
    expect(await waitingIn([platformId])).toEqual([ids[0], ids[2]]);
  });

  test("skips what others requeue at the same time: each record has one entry", async () => {
    const { platformId, ids } = await waiting(40);
    const single = { ...by, operation: "records.requeue" };
    const results = await Promise.all([
      requeueMany([platformId], {}, 40, by),
      requeueMany([platformId], {}, 40, by),
      ...ids.slice(0, 10).map((id) => requeue(id, single)),
    ]);
    const many = results.slice(0, 2) as { requeued: number }[];
    const one = results.slice(2).filter((requeued) => requeued === true).length;
    expect(many.reduce((sum, { requeued }) => sum + requeued, one)).toBe(40);
    expect(await auditedAt(platformId)).toEqual(ids);
    expect(await waitingIn([platformId])).toEqual([]);
  });

  test("reaches no record without a platform", async () => {
    await waiting(1);
    expect(await requeueMany([], {}, 10, by)).toEqual({ matching: 0, requeued: 0, more: false });
  });
});
