import { expect, it, onTestFinished, vi } from "vitest";
import type { ServedRoute } from "../../src/telemetry/call-series.ts";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { idleMetrics, seriesOf } from "../support/metrics.ts";

const { routes } = fakeApp().app;
const _served: ServedRoute[] = routes.filter(({ method }) => method !== "ALL");

/** Runs requests in an app whose events the metrics count. */
function appWithMetrics() {
  const metrics = idleMetrics({ routes });
  const { ports } = fakePorts();
  const { app } = fakeApp({ ports: { ...ports, observer: metrics } });
  const headers = { authorization: `Bearer ${fullKey}` };
  return { metrics, request: (path: string, method = "GET") => app.request(path, { method, headers }) };
}

it("every metric has a name with its type and unit, and a help sentence", async () => {
  const text = await idleMetrics({ routes }).text();
  const types = [...text.matchAll(/^# TYPE (cardbridge_\S+) (\w+)$/gm)];
  expect(types.length).toBeGreaterThan(35);
  for (const [, name = "", type] of types) {
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    expect(name).not.toMatch(/_(ms|ms|milliseconds|kb|mb|percent)(_|$)/);
    const [, help] = new RegExp(`^# HELP ${name} (.+)$`, "m").exec(text) ?? [];
    expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z1].{20,}\.$/)]);
  }
});

it("calls add no series: each series exists from the start with the value 0", async () => {
  const { metrics, request } = appWithMetrics();
  const before = await metrics.text();
  await request("/openapi/v1/cards/list?memberId=member-1");
  await request("/openapi/v1/cards/list?memberId=nobody");
  await request("/openapi/v1/cards/list");
  await request("/trpc/cards.list?input=%7B%7D");
  await request("/health/live");
  await request("/nowhere");
  metrics.observe("provider_call", { operation: "listCards", outcome: "PROVIDER_TIMEOUT" }, 5);
  metrics.observe("kyc_attempt", { step: "ask", outcome: "unknown" });
  metrics.observe("webhook_attempt", { outcome: "retry", reason: "status-5xx" });
  const after = await metrics.text();
  expect(seriesOf(after)).toEqual(seriesOf(before));

  const value = (text: string, series: string) =>
    text.split("\n").find((line) => line.startsWith(`${series} `));
  for (const series of [
    'cardbridge_http_requests_total{route="/openapi/v1/cards/list",method="GET",status="200"}',
    'cardbridge_http_requests_total{route="/openapi/v1/cards/list",method="GET",status="404"}',
    'cardbridge_http_requests_total{route="unknown",method="GET",status="404"}',
    'cardbridge_http_request_duration_seconds_count{route="/health/live",method="GET"}',
    'cardbridge_operation_calls_total{operation="cards.list",outcome="USER_NOT_FOUND"}',
    'cardbridge_provider_call_duration_seconds_bucket{le="5",operation="listCards"}',
    'cardbridge_webhook_attempts_total{outcome="retry",reason="status-5xx"}',
  ]) {
    expect(value(before, series)).toBe(`${series} 0`);
    expect(value(after, series)).toBe(`${series} 1`);
  }
});

it("a flood of strange routes, methods and outcomes adds few series", async () => {
  const { metrics, request } = appWithMetrics();
  const before = seriesOf(await metrics.text()).length;
  for (let call = 0; call < 300; call += 1) {
    await request(`/strange-${call}`, `STRANGE${call}`);
    await request(`/openapi/v1/cards/strange-${call}`, `STRANGE${call}`);
    await request(`/trpc/strange-${call}`);
    await request(`/openapi/v1/cards/list?memberId=member-1&strange-${call}=1`);
    const strange = `strange-${call}`;
    metrics.observe("operation_call", { operation: strange, outcome: strange });
    metrics.observe("provider_call", { operation: strange, outcome: strange }, 1);
    metrics.observe("provider_card_field_malformed", { field: strange });
    metrics.observe("webhook_attempt", { outcome: strange, reason: strange });
    metrics.observe("worker_pass_failed", { operation: strange });
  }
  const text = await metrics.text();
  expect(text).not.toMatch(/strange/i);
  expect(seriesOf(text).length - before).toBeLessThan(30);
});

it("values that cannot be read are NaN, and do not delay a scrape", async () => {
  const away = () => Promise.reject(new Error("away"));
  const silent = () => new Promise<never>(() => {});
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const scrape = idleMetrics({
    waiting: away,
    requests: away,
    backups: away,
    deliveries: silent,
    dependencies: silent,
  }).text();
  await vi.advanceTimersByTimeAsync(2_000);
  const text = await scrape;
  expect(text).toMatch(
    /^cardbridge_kyc_records_waiting\{resolution="unresolved",needs_attention="true"\} Nan$/m,
  );
  expect(text).toMatch(/^cardbridge_document_requests\{state="overdue"\} Nan$/m);
  expect(text).toMatch(/^cardbridge_backup_failed\{step="made"\} Nan$/m);
  expect(text).toMatch(/^cardbridge_webhook_deliveries_pending Nan$/m);
  expect(text).toMatch(/^cardbridge_dependency_ready\{dependency="database"\} Nan$/m);
  expect(text).toMatch(/^cardbridge_audit_pending_oldest_seconds 0$/m);
});

it("requests for documents, documents and waiting records are counted by state, with the age of the oldest one", async () => {
  const { text } = idleMetrics({
    requests: async () => [{ state: "unsent", count: 2, oldestSeconds: 61.5 }],
    documents: async () => [
      { state: "expired", count: 4, oldestSeconds: 0 },
      { state: "due", count: 1, oldestSeconds: 7 },
    ],
    waiting: async () => [{ resolution: "answered", needsAttention: false, count: 3, oldestSeconds: 9 }],
  });
  const lines = (await text()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'cardbridge_document_requests{state="overdue"} 0',
      'cardbridge_document_requests{state="unsent"} 2',
      'cardbridge_document_requests_oldest_seconds{state="unsent"} 61.5',
      'cardbridge_kyc_documents{state="expiring"} 0',
      'cardbridge_kyc_documents{state="expired"} 4',
      'cardbridge_kyc_documents_oldest_seconds{state="due"} 7',
      'cardbridge_kyc_records_waiting{resolution="answered",needs_attention="false"} 3',
      'cardbridge_kyc_records_waiting_oldest_seconds{resolution="answered",needs_attention="false"} 9',
    ]),
  );
});

it("a step of backups has the age of its last success, and whether its newest attempt failed", async () => {
  const { text } = idleMetrics({
    backups: async () => [
      { step: "made", last: { kind: "dump", seconds: 3_600.5 }, failed: true },
      { step: "verified", last: null, failed: true },
    ],
  });
  expect((await text()).match(/^cardbridge_backup_.*$/gm)).toEqual([
    'cardbridge_backup_age_seconds{step="made"} 3600.5',
    'cardbridge_backup_age_seconds{step="verified"} Nan',
    'cardbridge_backup_failed{step="made"} 1',
    'cardbridge_backup_failed{step="verified"} 1',
  ]);
});

it("the breaker, the pools and the slots are those of the process", async () => {
  const { text } = idleMetrics({
    provider: () => ({
      breakers: { cards: "open", kyc: "closed" },
      connections: { inUse: 3, idle: 2, waiting: 1 },
    }),
    usage: (resource) => ({ capacity: 8, inUse: 4, waiting: resource === "uploads" ? 5 : 0 }),
    dependencies: async () => ({ database: true, encryptionKeys: false, files: true }),
  });
  const lines = (await text()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'cardbridge_provider_breaker_state{endpoints="cards",state="open"} 1',
      'cardbridge_provider_breaker_state{endpoints="cards",state="closed"} 0',
      'cardbridge_provider_breaker_state{endpoints="kyc",state="closed"} 1',
      'cardbridge_pool_connections{pool="provider",state="in-use"} 3',
      'cardbridge_pool_connections{pool="provider",state="idle"} 2',
      'cardbridge_pool_waiting{pool="provider"} 1',
      'cardbridge_resource_slots_in_use{resource="uploads"} 4',
      'cardbridge_resource_waiting{resource="uploads"} 5',
      'cardbridge_dependency_ready{dependency="encryption-keys"} 0',
    ]),
  );
});
