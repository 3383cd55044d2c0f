import { type DueDelivery, maxShownAttempts, type RecordedAttempt } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { delivered, failed, makeWebhookWorld } from "../support/webhooks.ts";

const world = await makeWebhookWorld();
const { admin, deliveries, endpoints, endpointWith, makeDue } = world;

const details = async ({ platformId, endpointId, deliveryId }: DueDelivery) =>
  (await endpoints.delivery(platformId, endpointId, deliveryId)) ?? expect.unreachable();

test("a success completes the delivery and resets the endpoint's failingSince", async () => {
  const { leaseOne, show } = await endpointWith(1);
  const due = await leaseOne();
  expect(await deliveries.record(due, failed())).toEqual({ disabled: false });
  expect(await show()).toMatchObject({ enabled: true, failingSince: expect.any(String) });
  await makeDue();
  await deliveries.record(await leaseOne(), delivered);
  expect(await show()).toMatchObject({ enabled: true, failingSince: null });
  const times = { startedAt: expect.any(String), milliseconds: 12, reason: null };
  expect(await details(due)).toMatchObject({
    status: "delivered",
    attempts: 2,
    dueAt: null,
    deliveredAt: expect.any(String),
    history: [
      { attempt: 1, ...times, status: 500, excerpt: "no" },
      { attempt: 2, ...times, status: 200, excerpt: "ok" },
    ],
  });
});

test("a delivery shows its last attempts, and counts all", async () => {
  const { leaseOne } = await endpointWith(1);
  for (let attempt = 1; attempt <= maxShownAttempts + 2; attempt += 1) {
    await deliveries.record(await leaseOne(), failed());
    await makeDue();
  }
  const shown = await details(await leaseOne());
  expect(shown.attempts).toBe(maxShownAttempts + 2);
  expect(shown.history.map(({ attempt }) => attempt)).toEqual(
    Array.from({ length: maxShownAttempts }, (_, index) => index + 3),
  );
});

test("a retry is due after its delay, and an attempt without a response stores its reason", async () => {
  const { leaseOne } = await endpointWith(1);
  const due = await leaseOne();
  const lost: RecordedAttempt = {
    outcome: { kind: "undelivered", reason: "deadline" },
    decision: { kind: "retry", delayMs: 3_600_000 },
    milliseconds: 15_000,
  };
  await deliveries.record(due, lost);
  const shown = await details(due);
  expect(shown).toMatchObject({ status: "pending", deliveredAt: null });
  expect(shown.history).toMatchObject([{ status: null, reason: "deadline", excerpt: null }]);
  const [row] = await admin(
    "select extract(epoch from due_at - now()) > 3500 as later from webhook_deliveries where id = $1",
    [due.deliveryId],
  );
  expect(row).toEqual({ later: true });
});

test("a response with any characters is stored", async () => {
  const { leaseOne } = await endpointWith(1);
  const due = await leaseOne();
  const excerpt = "a\u0000b\ud800'\\";
  await deliveries.record(due, { ...delivered, outcome: { kind: "answered", status: 200, excerpt } });
  expect((await details(due)).history[0]?.excerpt).toBe(excerpt);
});

test("the last failure fails the delivery without disabling the endpoint", async () => {
  const { leaseOne, show } = await endpointWith(1);
  const due = await leaseOne();
  await deliveries.record(due, failed({ kind: "failed" }));
  expect(await details(due)).toMatchObject({ status: "failed", dueAt: null });
  expect((await show()).enabled).toBe(true);
});

test("410 disables the endpoint and fails its pending deliveries", async () => {
  const { all, leaseOne, lease, show } = await endpointWith(3);
  const due = await leaseOne();
  expect(await deliveries.record(due, failed({ kind: "gone" }))).toEqual({ disabled: true });
  expect(await show()).toMatchObject({
    enabled: false,
    disabledReason: "gone",
    disabledAt: expect.any(String),
  });
  expect((await all()).map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
  expect(await lease()).toEqual([]);
});

test("failures of five days disable the endpoint; failures before a success do not", async () => {
  const { endpointId, leaseOne, show } = await endpointWith(1);
  const due = await leaseOne();
  await deliveries.record(due, failed());
  const failSince = (age: string) =>
    admin(`update webhook_endpoints set failing_since = now() - interval '${age}' where id = $1`, [
      endpointId,
    ]);
  await failSince("4 days 23 hours");
  await makeDue();
  expect(await deliveries.record(await leaseOne(), failed())).toEqual({ disabled: false });
  await failSince("5 days");
  await makeDue();
  expect(await deliveries.record(await leaseOne(), failed())).toEqual({ disabled: true });
  expect(await show()).toMatchObject({ enabled: false, disabledReason: "failing" });
  expect((await details(due)).status).toBe("failed");
});

test("an endpoint that is disabled during an attempt gets no further attempt, also of an aborted one", async () => {
  const { platformId, endpointId, leaseOne } = await endpointWith(2);
  const [due, aborted] = [await leaseOne(), await leaseOne()];
  await endpoints.update(platformId, endpointId, { enabled: false });
  expect((await details(due)).status).toBe("pending");
  expect(await deliveries.load(due)).toBeNull();
  expect(await deliveries.record(due, failed())).toEqual({ disabled: false });
  expect(await details(due)).toMatchObject({ status: "failed", attempts: 1 });
  await deliveries.release([aborted]);
  expect(await details(aborted)).toMatchObject({ status: "failed", attempts: 0, dueAt: null });
});

test("disabled and deleted endpoints are found, whatever their platform", async () => {
  const [active, disabled, deleted] = [await endpointWith(0), await endpointWith(0), await endpointWith(0)];
  await endpoints.update(disabled.platformId, disabled.endpointId, { enabled: false });
  await endpoints.delete(deleted.platformId, deleted.endpointId);
  const ids = [active, disabled, deleted].map(({ endpointId }) => endpointId);
  expect((await deliveries.findInactive([...ids, "whe_unknown"])).toSorted()).toEqual(
    [disabled.endpointId, deleted.endpointId, "whe_unknown"].toSorted(),
  );
});

test("an attempt is not recorded after its endpoint was deleted", async () => {
  const { platformId, endpointId, leaseOne } = await endpointWith(1);
  const due = await leaseOne();
  expect(await endpoints.delete(platformId, endpointId)).toBe(true);
  expect(await deliveries.load(due)).toBeNull();
  expect(await deliveries.record(due, delivered)).toEqual({ disabled: false });
  expect(await admin("select from webhook_attempts where delivery_id = $1", [due.deliveryId])).toEqual([]);
});
