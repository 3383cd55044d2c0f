import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { basePath } from "../../src/config/paths.ts";
import { restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** Webhook endpoints and their deliveries over REST, on the real database. Nothing is sent here. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ events: false });
});
afterAll(() => service.stop());

const url = "https://hooks.example.com/cardbridge?token=a";
const endpoint = { url, eventTypes: ["kyc.updated"], description: "backend" };

/** Sends a request and returns its status and its body. */
async function call(method: string, path: string, body?: object, key: string = demoKeys.first) {
  const response = await fetch(`${service.url}${basePath}/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { status, headers } = response;
  return { status, headers, body: JSON.parse(await response.text()) };
}

async function created(key: string = demoKeys.first) {
  const { body } = await call("POST", "", endpoint, key);
  return body as { endpointId: string; secret: string };
}

async function rows(statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: service.adminUrl });
  await client.connect();
  const result = await client.query(statement);
  await client.end();
  return result.rows;
}

const submit = () => restSubmit(service.caller(), newSubmission());

describe("an endpoint", () => {
  it("is created, read, changed, disabled and deleted; its secret is shown once", async () => {
    const { status, body } = await call("POST", "", endpoint);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...endpoint,
      endpointId: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: expect.any(String),
    });
    const { secret: _, ...facts } = body;
    const path = `/${body.endpointId}`;
    expect(await call("GET", path)).toMatchObject({ status: 200, body: facts });
    expect((await call("GET", "")).body.endpoints).toContainEqual(facts);
    const change = { url: "https://hooks.example.com/v2", description: null, enabled: false };
    const changed = await call("PATCH", path, change);
    expect(changed.body).toMatchObject({
      ...change,
      disabledReason: "requested",
      eventTypes: ["kyc.updated"],
    });
    expect(await call("DELETE", path)).toMatchObject({
      status: 200,
      body: { endpointId: body.endpointId },
    });
    expect((await call("GET", path)).body.code).toBe("WEBHOOK_ENDPOINT_NOT_FOUND");
    expect((await call("DELETE", path)).status).toBe(404);
  });

  it("is rejected with the fields and the rules to correct", async () => {
    const invalid = { ...endpoint, url: "http://hooks.example.com/", eventTypes: ["webhook.test"] };
    const { status, body } = await call("POST", "", invalid);
    expect([status, body.errors]).toMatchObject([
      400,
      [
        { path: "/eventTypes/0", rule: "enum" },
        { path: "/url", rule: "webhook-url-scheme" },
      ],
    ]);
  });

  it("is audited without its URL and its secret", async () => {
    const { endpointId } = await created();
    await call("DELETE", `/${endpointId}`);
    const entries = await rows(`select * from audit_entries where subject = '${endpointId}' order by id`);
    expect(entries.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ["webhooks.create", "done"],
      ["webhooks.delete", "done"],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/hooks\.example|whsec/);
  });
});

describe("a delivery", () => {
  it("exists for each change of a record, in order, and for a test", async () => {
    const { endpointId } = await created();
    const { body } = await submit();
    const { kycRecordId } = body as { kycRecordId: string };
    const test = await call("POST", `/${endpointId}/test`);
    expect(test.body).toMatchObject({ type: "webhook.test", status: "pending", attempts: 0, sequence: null });
    const list = async (query: string) =>
      (await call("GET", `/${endpointId}/deliveries?status=pending&pageSize=2${query}`)).body;
    const { items, nextCursor } = await list("");
    expect(nextCursor).toBe(items[1].deliveryId);
    expect(items[0]).toEqual(test.body);
    expect(items[1]).toMatchObject({ type: "kyc.updated", kycRecordId, sequence: 2, endpointId });
    const last = await list(`&cursor=${nextCursor}`);
    expect(last).toEqual({ items: [expect.any(Object)], nextCursor: null });
    const [first] = last.items;
    expect(first).toMatchObject({ kycRecordId, sequence: 1, webhookId: expect.stringMatching(/^msg_/) });
    const details = await call("GET", `/${endpointId}/deliveries/${first.deliveryId}`);
    const { payload, ...shown } = details.body;
    expect([details.status, shown]).toEqual([200, { ...first, history: [] }]);
    expect(JSON.parse(payload)).toMatchObject({ type: "kyc.updated", data: { kycRecordId, sequence: 1 } });
    await call("DELETE", `/${endpointId}`);
    const deleted = await call("GET", `/${endpointId}/deliveries/${first.deliveryId}`);
    expect([deleted.status, deleted.body.code]).toEqual([404, "WEBHOOK_DELIVERY_NOT_FOUND"]);
  });

  it("to a disabled endpoint fails, and is redelivered once it is enabled", async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const { endpointId } = await created();
    await call("PATCH", `/${endpointId}`, { enabled: false });
    await submit();
    const failed = await call("GET", `/${endpointId}/deliveries?status=failed`);
    expect(failed.body.items).toHaveLength(2);
    const [{ deliveryId }] = failed.body.items;
    const path = `/${endpointId}/deliveries/${deliveryId}/redeliver`;
    expect((await call("POST", path)).body.status).toBe("failed");
    await call("PATCH", `/${endpointId}`, { enabled: true });
    expect((await call("POST", path)).body).toMatchObject({ deliveryId, status: "pending" });
    const all = await call("POST", `/${endpointId}/redeliver`, { since });
    expect(all.body).toEqual({ redelivered: 1, more: false });
    expect((await call("GET", `/${endpointId}/deliveries?status=failed`)).body.items).toEqual([]);
    await call("DELETE", `/${endpointId}`);
  });
});
