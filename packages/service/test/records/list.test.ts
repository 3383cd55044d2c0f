import { expect, test } from "vitest";
import { listRecords } from "../../src/records/list.ts";
import { needingAttention, retryPlan } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";
import { answered, makeWorld, someone } from "../support/world.ts";

const world = await makeWorld();
const { kyc, platform, ports, set, submitted } = world;
const isoTime = expect.stringMatching(/^20.*Z$/);
const list = (input: Parameters<typeof listRecords.execute>[2] = {}) =>
  listRecords.execute(ports, operatorCall, input).then(({ data }) => data);

test("the list has waiting records: those that need attention first, then unresolved ones, the oldest first", async () => {
  const platformId = await platform();
  const created = () => submitted(someone(Math.random()), platformId);
  const rescheduled = async () => {
    const due = await created();
    await kyc.reschedule(platformId, due.record, retryPlan);
    return due;
  };
  const decided = await created();
  await kyc.storeVerdict(platformId, decided.record, answered("approved"));
  const tracked = await created();
  await kyc.storeVerdict(platformId, tracked.record, answered("pending_approval"));
  await set(tracked.kycRecordId, "created_at = created_at - interval '1 day'");
  const young = await rescheduled();
  const old = await rescheduled();
  await set(old.kycRecordId, "created_at = created_at - interval '1 hour'");
  const attention = await needingAttention(world, platformId);

  const { records } = await list({ platformId, limit: 10 });
  const idsOf = (listed: typeof records) => listed.map(({ kycRecordId }) => kycRecordId);
  expect(idsOf(records)).toEqual([attention, old, young, tracked].map(({ kycRecordId }) => kycRecordId));
  // Only ids and states.
  expect(records[0]).toEqual({
    platformId,
    kycRecordId: attention.kycRecordId,
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
  const attentive = await list({ platformId, needsAttention: true });
  expect(idsOf(attentive.records)).toEqual([attention.kycRecordId, old.kycRecordId]);
  expect(await list({ platformId, limit: 1 })).toEqual({
    records: [{ ...records[0], readAt: isoTime }],
    more: true,
  });
  expect(await list({ platformId: await platform() })).toEqual({ records: [], more: false });
  const another = await needingAttention(world);
  expect(idsOf((await list({ limit: 100 })).records)).toEqual(
    expect.arrayContaining([attention.kycRecordId, another.kycRecordId]),
  );
});
