import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { writeCardUpdated } from "../../src/webhooks/events.ts";
import { makeWebhookWorld } from "../support/webhooks.ts";
import { answered } from "../support/world.ts";

const { platform, endpoint, record, lease, deliveries, endpoints, database, kyc, admin } =
  await makeWebhookWorld();

const sent = async (platformId: string, kycRecordId: string) =>
  (await endpoints.ofRecord(platformId, kycRecordId)).map(({ endpointId, sequence }) => [
    endpointId,
    sequence,
  ]);

test("each change of a record is written with its number for each subscribed endpoint of its platform", async () => {
  const [platformId, other] = [await platform(), await platform()];
  const first = await endpoint(platformId);
  const cards = await endpoint(platformId, ["card.updated"]);
  const both = await endpoint(platformId, ["card.updated", "kyc.updated"]);
  const kycRecordId = await record(platformId, 2);
  const expected = [1, 2, 3].flatMap((sequence) => [first, both].map((id) => [id, sequence]));
  expect(await sent(platformId, kycRecordId)).toEqual(expected);
  expect(await endpoints.deliveries(platformId, { endpointId: cards, limit: 10 })).toEqual([]);
  await record(other, 1);
  expect(await admin("select from webhook_events where platform_id = $1", [other])).toEqual([]);
  // An event has one id for all endpoints, and each delivery its own.
  const rows = await endpoints.ofRecord(platformId, kycRecordId);
  const webhookIds = new Set(rows.map(({ webhookId }) => webhookId));
  const deliveryIds = new Set(rows.map(({ deliveryId }) => deliveryId));
  expect([webhookIds.size, deliveryIds.size]).toEqual([3, 6]);
  for (const id of webhookIds) expect(id).toMatch(/^msg_[0-9a-f]{26}$/);
  for (const id of deliveryIds) expect(id).toMatch(/^whd_[0-9a-f]{26}$/);
});

test("a change that is rolled back writes no event", async () => {
  const platformId = await platform();
  await endpoint(platformId);
  const kycRecordId = await record(platformId);
  const change = database.asPlatform(platformId, async (tx) => {
    await tx.execute(
      sql`insert into kyc_history (platform_id, record_id, source, resolution)
        values (${platformId}, ${kycRecordId}, 'provider', 'answered')`,
    );
    const { rows } = await tx.execute(sql`select from webhook_deliveries`);
    expect(rows).toHaveLength(2);
    throw new Error("rolled back");
  });
  await expect(change).rejects.toThrow("rolled back");
  expect(await endpoints.ofRecord(platformId, kycRecordId)).toHaveLength(1);
});

test("concurrent changes of a record have different numbers without gaps", async () => {
  const platformId = await platform();
  await endpoint(platformId);
  const kycRecordId = await record(platformId);
  const state = await kyc.history(platformId, kycRecordId);
  if (!state) throw new Error("no record");
  const reference = { reference: kycRecordId, userReference: state.record.externalUserId };
  await Promise.all(
    [5, 6, 7, 8].map((revision) =>
      kyc.recordProviderUpdate(reference, answered(`status-${revision}`, null, revision)),
    ),
  );
  const changes = (await kyc.history(platformId, kycRecordId))?.history.length ?? 0;
  const numbers = (await endpoints.ofRecord(platformId, kycRecordId)).map(({ sequence }) => sequence);
  expect(numbers).toEqual(Array.from({ length: changes }, (_, index) => index + 1));
  expect(changes).toBeGreaterThan(1);
});

test("a payload contains the state of its own change, even after later changes", async () => {
  const platformId = await platform();
  await endpoint(platformId);
  const kycRecordId = await record(platformId);
  const before = await kyc.history(platformId, kycRecordId);
  if (!before) throw new Error("no record");
  await kyc.storeVerdict(platformId, before.record, {
    ...answered("rejected", "acct_1", 4),
    explanation: { reasons: [{ code: "SELFIE_UNREADABLE", field: "/selfieImageUrl" }], final: false },
    restricted: ["FRAUD_SUSPECTED"],
  });
  const { externalUserId } = before.record;
  const [first] = (await lease()).filter((due) => due.platformId === platformId);
  if (!first) throw new Error("nothing is due");
  const payload = (await deliveries.load(first))?.payload;
  expect(payload).toEqual({
    type: "kyc.updated",
    environment: "test",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    data: {
      kycRecordId,
      externalUserId,
      sequence: 1,
      code: "KYC_ACCEPTED",
      status: "PENDING",
      subStatus: null,
      cardAccountId: null,
      reasons: [],
    },
  });
  await deliveries.release([first]);
  await admin(
    "update webhook_deliveries set attempt = 1, due_at = now() + interval '1 hour' where sequence = 1",
  );
  await admin("update webhook_deliveries set due_at = now() - interval '1 hour' where sequence = 2");
  const [second] = (await lease({ perEndpoint: 1 })).filter((due) => due.platformId === platformId);
  if (!second) throw new Error("nothing is due");
  expect((await deliveries.load(second))?.payload.data).toEqual({
    kycRecordId,
    externalUserId,
    sequence: 2,
    code: "KYC_SUBMITTED",
    status: "REJECTED",
    subStatus: "rejected",
    cardAccountId: "acct_1",
    reasons: ["SELFIE_UNREADABLE"],
  });
});

test("a card event is written to the user's platform once for each event of the provider", async () => {
  const [mine, theirs] = [await platform(), await platform()];
  const endpointId = await endpoint(mine, ["card.updated"]);
  await endpoint(theirs, ["card.updated"]);
  const history = await kyc.history(mine, await record(mine));
  const externalUserId = history?.record.externalUserId ?? "";
  const event = { cardId: "card_1", externalUserId, status: "locked" };
  expect(await writeCardUpdated({ database }, event, "evt_1")).toBe(true);
  expect(await writeCardUpdated({ database }, event, "evt_1")).toBe(true);
  expect(await writeCardUpdated({ database }, { ...event, status: "active" }, "evt_2")).toBe(true);
  expect(await writeCardUpdated({ database }, { ...event, externalUserId: "usr_nobody" }, "evt_3")).toBe(
    false,
  );
  expect(await endpoints.deliveries(mine, { endpointId, limit: 10 })).toHaveLength(2);
  const [due] = (await lease()).filter((one) => one.endpointId === endpointId);
  if (!due) throw new Error("nothing is due");
  expect((await deliveries.load(due))?.payload).toMatchObject({ type: "card.updated", data: event });
  expect(await admin("select from webhook_deliveries where platform_id = $1", [theirs])).toEqual([]);
});
