import { defaultPolicies, maxWebhookEndpoints } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { createOperations } from "../../src/index.ts";
import { callOf, rulesOf } from "../support/calls.ts";
import { withKeys } from "../support/key-ring.ts";
import { delivered, endpointsOf, makeWebhookWorld, newEndpointId } from "../support/webhooks.ts";
import { keysOf } from "../support/world.ts";

const world = await makeWebhookWorld();
const { platform, endpoint, record, endpoints, deliveries, admin } = world;

const secret = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;

/** Loads an endpoint's next delivery. */
async function nextOf(platformId: string, endpointId: string) {
  await record(platformId);
  const due = (await world.lease()).find((one) => one.endpointId === endpointId);
  if (!due) throw new Error("nothing is due");
  const loaded = await deliveries.load(due);
  await deliveries.record(due, delivered);
  return loaded;
}

test("an endpoint is returned with its URL and without its secret, and a dump contains neither", async () => {
  const platformId = await platform();
  const endpointId = newEndpointId();
  const given = {
    endpointId,
    url: "https://user.example.com/hooks?token=t0ken",
    eventTypes: ["kyc.updated", "card.updated"] as const,
    description: "Ours",
  };
  const twice = ["kyc.updated", "kyc.updated", "card.updated"] as const;
  const created = await endpoints.create(platformId, { ...given, eventTypes: twice, secret: secret(7) });
  expect(created).toEqual({
    ...given,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    previousSecretUntil: null,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(await endpoints.find(platformId, endpointId)).toEqual(created);
  expect(await endpoints.list(platformId)).toEqual([created]);
  const rows = await admin("select * from webhook_endpoints where platform_id = $1", [platformId]);
  const dump = JSON.stringify(rows, (_key, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
  );
  expect(dump).toContain(platformId);
  for (const hidden of ["user.example.com", "whsec_", Buffer.alloc(32, 7).toString("latin1")])
    expect(dump).not.toContain(hidden);
  const wrong = endpointsOf(withKeys(world.ports, keysOf(2)));
  await expect(wrong.find(platformId, endpointId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

test("another platform's endpoint is unknown to every method", async () => {
  const [mine, theirs] = [await platform(), await platform()];
  const endpointId = await endpoint(theirs);
  const kycRecordId = await record(theirs);
  const [delivery] = await endpoints.ofRecord(theirs, kycRecordId);
  const deliveryId = delivery?.deliveryId ?? "";
  const before = await endpoints.find(theirs, endpointId);
  const unknown = [
    endpoints.find(mine, endpointId),
    endpoints.update(mine, endpointId, { enabled: false }),
    endpoints.rotateSecret(mine, endpointId, secret(2), 24),
    endpoints.test(mine, endpointId),
    endpoints.deliveries(mine, { endpointId, limit: 10 }),
    endpoints.delivery(mine, endpointId, deliveryId),
    endpoints.redeliver(mine, endpointId, deliveryId),
    endpoints.redeliverFailed(mine, endpointId, new Date(0)),
  ];
  expect(await Promise.all(unknown)).toEqual(unknown.map(() => null));
  expect(await endpoints.delete(mine, endpointId)).toBe(false);
  expect([await endpoints.list(mine), await endpoints.ofRecord(mine, kycRecordId)]).toEqual([[], []]);
  expect(await endpoints.find(theirs, endpointId)).toEqual(before);
  expect(await endpoints.ofRecord(theirs, kycRecordId)).toEqual([delivery]);
  expect(await admin("select from webhook_events where platform_id = $1", [mine])).toEqual([]);
});

test("a platform can have ten endpoints, even if more are created concurrently", async () => {
  const platformId = await platform();
  const outcomes = await Promise.allSettled(
    Array.from({ length: maxWebhookEndpoints + 2 }, () => endpoint(platformId)),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
  expect(refused).toEqual(["WEBHOOK_ENDPOINT_LIMIT", "WEBHOOK_ENDPOINT_LIMIT"]);
  const [first] = await endpoints.list(platformId);
  await endpoints.delete(platformId, first?.endpointId ?? "");
  await endpoint(platformId);
  expect(await endpoints.list(platformId)).toHaveLength(maxWebhookEndpoints);
});

test("an update does not change the fields that it omits", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  const before = await endpoints.find(platformId, endpointId);
  const url = "https://new.example.com/";
  expect(await endpoints.update(platformId, endpointId, { url })).toEqual({ ...before, url });
  const rest = { eventTypes: ["card.updated" as const], description: "Other" };
  expect(await endpoints.update(platformId, endpointId, rest)).toEqual({ ...before, url, ...rest });
  expect(await endpoints.update(platformId, endpointId, { description: null })).toMatchObject({
    url,
    description: null,
  });
});

test("after a rotation both secrets sign until the overlap ends", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  const rotated = await endpoints.rotateSecret(platformId, endpointId, secret(2), 24);
  expect(rotated?.previousSecretUntil).toMatch(/Z$/);
  expect((await nextOf(platformId, endpointId))?.secrets).toEqual([secret(2), secret(1)]);
  await endpoints.update(platformId, endpointId, { url: "https://new.example.com/" });
  expect(await nextOf(platformId, endpointId)).toMatchObject({
    url: "https://new.example.com/",
    secrets: [secret(2), secret(1)],
  });
  await admin("update webhook_endpoints set previous_secret_until = now() where id = $1", [endpointId]);
  expect((await nextOf(platformId, endpointId))?.secrets).toEqual([secret(2)]);
  expect((await endpoints.find(platformId, endpointId))?.previousSecretUntil).toBeNull();
  expect(
    (await endpoints.rotateSecret(platformId, endpointId, secret(3), 0))?.previousSecretUntil,
  ).toBeNull();
  expect((await nextOf(platformId, endpointId))?.secrets).toEqual([secret(3)]);
});

test("a disabled endpoint gets failed deliveries, and enabling it resets failingSince", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  const set = (assignment: string) =>
    admin(`update webhook_endpoints set ${assignment} where id = $1`, [endpointId]);
  const early = await record(platformId);
  const disabled = await endpoints.update(platformId, endpointId, { enabled: false });
  expect(disabled).toMatchObject({ enabled: false, disabledReason: "requested" });
  const late = await record(platformId);
  const statuses = async () =>
    (await Promise.all([early, late].map((id) => endpoints.ofRecord(platformId, id))))
      .flat()
      .map(({ status }) => status);
  expect(await statuses()).toEqual(["failed", "failed"]);
  const tested = await endpoints.test(platformId, endpointId);
  expect(tested).toMatchObject({ type: "webhook.test", status: "failed" });
  await set("failing_since = now() - interval '9 days', disabled_reason = 'gone'");
  const again = await endpoints.update(platformId, endpointId, { enabled: false });
  expect(again).toMatchObject({ disabledReason: "gone" });
  const enabled = { enabled: true, disabledReason: null, disabledAt: null, failingSince: null };
  expect(await endpoints.update(platformId, endpointId, { enabled: true })).toMatchObject(enabled);
  expect(await statuses()).toEqual(["failed", "failed"]);
  await set("failing_since = now()");
  expect((await endpoints.update(platformId, endpointId, { enabled: true }))?.failingSince).not.toBeNull();
});

test("a test event is sent to its endpoint only, whatever it subscribes to", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId, ["card.updated"]);
  const other = await endpoint(platformId);
  const delivery = await endpoints.test(platformId, endpointId);
  expect(delivery).toMatchObject({ endpointId, type: "webhook.test", status: "pending", kycRecordId: null });
  const due = (await world.lease()).find(({ deliveryId }) => deliveryId === delivery?.deliveryId);
  if (!due) throw new Error("nothing is due");
  expect((await deliveries.load(due))?.payload).toMatchObject({ type: "webhook.test", data: { endpointId } });
  expect(await endpoints.deliveries(platformId, { endpointId: other, limit: 1 })).toEqual([]);
});

test("a change needs a known field", async () => {
  const platformId = await platform();
  const endpointId = await endpoint(platformId);
  expect(await rulesOf(endpoints.update(platformId, endpointId, { enable: false }))).toEqual([
    "some-webhook-change",
  ]);
});

/** The rules that an endpoint with this URL violates. */
const rulesOfUrl = async (url: string, webhookUrls: "https" | "https-or-loopback" = "https") => {
  const { webhooks } = createOperations({ ...defaultPolicies, webhookUrls });
  const call = callOf("platform", { platformId: await platform(), scopes: ["webhooks:write"] });
  return rulesOf(webhooks.create.execute(world.ports, call, { url, eventTypes: ["kyc.updated"] }));
};

describe("a new endpoint", () => {
  test.each([
    "http://hooks.example.com/",
    "http://127.0.0.1:3000/",
    "http://localhost/",
    "ftp://hooks.example.com/",
    "https://user:secret@hooks.example.com/",
    "https://hooks.example.com/#part",
    "https://hooks.example.com:99999/",
    `https://hooks.example.com/${"a".repeat(2_048)}`,
    "https://",
    "hooks.example.com",
    "https://hooks.example.com/a b",
    "",
  ])("cannot have the URL %j in production", async (url) => {
    expect(await rulesOfUrl(url)).toEqual([expect.stringMatching(/^webhook-url/)]);
  });

  test.each([
    { url: "http://127.0.0.1:3000/hook", rules: [] },
    { url: "http://localhost:80", rules: [] },
    { url: "http://[::1]:3000/?a=b", rules: [] },
    { url: "https://a.test/", rules: [] },
    { url: "http://hooks.example.com/", rules: ["webhook-url-scheme"] },
    { url: "http://127.0.0.1.example.com/", rules: ["webhook-url-scheme"] },
    { url: "http://localhost.example.com/", rules: ["webhook-url-scheme"] },
  ])("with the URL $url violates $rules in development", async ({ url, rules }) => {
    expect(await rulesOfUrl(url, "https-or-loopback")).toEqual(rules);
  });
});
