import { kycRequestUpdated, maxRequests, type WebhookPayload } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { recordRequestEvent, recordRequests } from "../../src/document-requests/record.ts";
import { listKycChanges } from "../../src/kyc/list-changes.ts";
import { recordProviderUpdate } from "../../src/kyc/record-provider-update.ts";
import { callOf, codeOf } from "../support/calls.ts";
import { aRequestForDocument, askedRecord } from "../support/document-requests.ts";
import { delivered, makeWebhookWorld } from "../support/webhooks.ts";
import { answered } from "../support/world.ts";

const world = await makeWebhookWorld();
/** Delivers everything, and returns what was delivered, in order. */
async function deliverAll(): Promise<WebhookPayload[]> {
  const payloads: WebhookPayload[] = [];
  for (let due = await world.lease(); due.length > 0; due = await world.lease()) {
    for (const one of due) {
      const loaded = await world.deliveries.load(one);
      if (loaded) payloads.push(loaded.payload);
      await world.deliveries.record(one, delivered);
    }
  }
  return payloads;
}

const later = { dueAt: "2026-03-01T12:00:00.000Z", revision: 2 };

test("a request that arrives repeatedly and late is one request, with its latest content", async () => {
  const { ports, platformId, about, requests, changes } = await askedRecord(world);
  const first = aRequestForDocument();
  for (const report of [first, { ...first, ...later }, first, { ...first, ...later }])
    await recordRequests(ports, platformId, about, [report], "event");
  expect(await requests()).toMatchObject([{ status: "open", dueAt: later.dueAt, answeredAt: null }]);
  expect((await changes()).map(({ request }) => request.dueAt)).toEqual([first.dueAt, later.dueAt]);
});

test("a final decision closes the requests, and a later report is a closed request", async () => {
  const { ports, platformId, about, record, kycRecordId, requests, changes } = await askedRecord(world);
  await world.kyc.recordProviderUpdate(about, answered("rejected", null, 2));
  const late = [aRequestForDocument(later), aRequestForDocument({ id: "req_2" })];
  await recordRequests(ports, platformId, about, late, "event");
  expect((await requests()).map(({ status }) => status)).toEqual(["closed", "closed"]);
  const statuses = (await changes()).map(({ request }) => request.status);
  expect(statuses).toEqual(["open", "closed", "closed", "closed"]);
  // The state keeps its own order and its own history.
  const { data } = await world.kyc.history(platformId, kycRecordId).then((data) => ({ data }));
  expect(data?.history.map(({ status }) => status)).toEqual([null, "PENDING_APPROVAL", "REJECTED"]);
  expect(data?.record.revision).toBe((record.revision ?? 0) + 1);
});

test("a verdict that is stored by an attempt closes the requests too", async () => {
  const { platformId, record, requests } = await askedRecord(world);
  await world.kyc.storeVerdict(platformId, record, answered("approved", "acct_1", 9));
  expect(await requests()).toMatchObject([{ status: "closed" }]);
});

test("a decision closes the requests in their order, whatever the order of their ids", async () => {
  const { ports, platformId, about, changes } = await askedRecord(world);
  const [older, newer] = ["2026-02-01T12:00:00.000Z", "2026-02-02T12:00:00.000Z"];
  for (const [id, requestedAt] of [
    ["dreq_b", older],
    ["dreq_a", newer],
  ] as const) {
    const ids = { ...ports.ids, documentRequestId: () => id };
    await recordRequests(
      { ...ports, ids },
      platformId,
      about,
      [aRequestForDocument({ id, requestedAt })],
      "event",
    );
  }
  await world.kyc.recordProviderUpdate(about, answered("approved", null, 2));
  const closed = (await changes()).filter(({ request }) => request.status === "closed");
  expect(closed.slice(1).map(({ request }) => request.documentRequestId)).toEqual(["dreq_b", "dreq_a"]);
});

test("a request that somebody answers at the provider is answered", async () => {
  const { ports, platformId, about, requests } = await askedRecord(world);
  await recordRequests(ports, platformId, about, [aRequestForDocument({ status: "answered" })], "event");
  const [request] = await requests();
  expect(request).toMatchObject({ status: "answered", answeredAt: expect.any(String) });
  expect(request?.sentAt).toBe(request?.answeredAt);
});

test("the requests of a record are bounded", async () => {
  const { ports, platformId, about, requests } = await askedRecord(world);
  const many = Array.from({ length: maxRequests + 5 }, (_, n) => aRequestForDocument({ id: `req_${n}` }));
  await recordRequests(ports, platformId, about, many, "event");
  expect(await requests()).toHaveLength(maxRequests);
});

test("an event about another user or an unknown record writes nothing", async () => {
  const { ports, about, requests } = await askedRecord(world);
  const request = aRequestForDocument({ id: "req_2" });
  for (const other of [
    { ...about, userReference: "usr_of_another" },
    { ...about, reference: "kyc_unknown" },
  ])
    expect(await codeOf(recordRequestEvent(ports, { ...other, requests: [request] }))).toBe(
      "KYC_RECORD_NOT_FOUND",
    );
  expect(await requests()).toHaveLength(1);
});

test("webhooks and changes have one sequence for the record and its requests", async () => {
  const platformId = await world.platform();
  await world.endpoint(platformId, ["kyc.updated", "kyc.request_updated"]);
  const call = callOf("platform", { platformId, scopes: ["kyc:read"] });
  const { data: start } = await listKycChanges.execute(world.ports, call, {});
  const { record, about } = await world.submitted({}, platformId);
  await world.kyc.storeVerdict(platformId, record, answered("pending_approval"));
  await recordRequests(world.ports, platformId, about, [aRequestForDocument()], "event");
  await world.kyc.recordProviderUpdate(about, answered("approved", null, 2));

  const expected = [
    ["kyc.updated", 1],
    ["kyc.updated", 2],
    ["kyc.request_updated", 3],
    ["kyc.updated", 4],
    ["kyc.request_updated", 5],
  ];
  const events = await deliverAll();
  expect(events.map(({ type, data }) => [type, "sequence" in data && data.sequence])).toEqual(expected);
  for (const { type, data } of events)
    if (type === "kyc.request_updated") kycRequestUpdated.strict().parse(data);

  await expect
    .poll(async () => {
      const { lastEventId } = start;
      const { data } = await listKycChanges.execute(world.ports, call, { lastEventId });
      return data.changes.map(({ type, data: { sequence } }) => [type, sequence]);
    })
    .toEqual(expected);
  const { data } = await listKycChanges.execute(world.ports, call, { lastEventId: start.lastEventId });
  expect(data.changes.map(({ data }) => data)).toEqual(events.map(({ data }) => data));
});

test("an event of the submission reports its requests too, unless it decides", async () => {
  const { ports, about, requests } = await askedRecord(world);
  const asks = (id: string, subStatus: string, revision: number) => {
    const verdict = { ...answered(subStatus, null, revision), requests: [aRequestForDocument({ id })] };
    return recordProviderUpdate({ ...ports, kycRecords: world.kyc }, { ...about, verdict });
  };
  await asks("req_2", "pending_approval", 2);
  expect((await requests()).map(({ status }) => status)).toEqual(["open", "open"]);
  await asks("req_3", "rejected", 3);
  expect((await requests()).map(({ status }) => status)).toEqual(["closed", "closed"]);
});
