import { expect, it } from "vitest";
import { createLog } from "../../src/observability/log.ts";
import { createMetrics } from "../../src/observability/metrics.ts";

const deliveries = async () => ({ pending: 0, oldestSeconds: 0, disabledEndpoints: 0 });

it("a seal is logged and counted, and metrics name no platform", async () => {
  const lines: string[] = [];
  const unsealed = async () => [12.5, 3].map((oldestSeconds) => ({ platformId: "plt_1", oldestSeconds }));
  const metrics = createMetrics({ droppedLines: () => 0, waiting: async () => [], unsealed, deliveries });
  for (const observer of [createLog("info", { write: (line) => void lines.push(line) }), metrics]) {
    observer.observe("audit_sealed", { platformId: "plt_1", seal: "7", hash: "00ff" });
    observer.observe("operation_call", { operation: "cards.list", outcome: "done" });
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, msg: "audit_sealed", labels: { platformId: "plt_1", seal: "7", hash: "00ff" } },
  ]);
  const text = await (await metrics.app.request("/metrics")).text();
  expect(text).toMatch(/^cardbridge_audit_sealed_total 1$/m);
  expect(text).toMatch(/^cardbridge_audit_unsealed_oldest_seconds 12.5$/m);
  expect(text).not.toContain("plt_1");
});

it("an unknown age is not a number", async () => {
  const unsealed = () => Promise.reject(new Error("away"));
  const metrics = createMetrics({
    droppedLines: () => 0,
    cacheActive: () => true,
    waiting: async () => [],
    unsealed,
    deliveries,
  });
  const text = await (await metrics.app.request("/metrics")).text();
  expect(text).toMatch(/^cardbridge_audit_unsealed_oldest_seconds Nan$/m);
});
