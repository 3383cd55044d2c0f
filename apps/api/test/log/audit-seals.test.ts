import { expect, it } from "vitest";
import { createLog } from "../../src/log/log.ts";
import { idleMetrics } from "../support/metrics.ts";

it("a seal is logged and counted, and metrics name no platform", async () => {
  const lines: string[] = [];
  const unsealed = async () => [12.5, 3].map((oldestSeconds) => ({ platformId: "plt_1", oldestSeconds }));
  const metrics = idleMetrics({ unsealed });
  for (const observer of [createLog("info", { write: (line) => void lines.push(line) }), metrics]) {
    observer.observe("audit_sealed", { platformId: "plt_1", seal: "7", hash: "00ff" });
    observer.observe("operation_call", { operation: "cards.list", outcome: "done" });
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, msg: "audit_sealed", labels: { platformId: "plt_1", seal: "7", hash: "00ff" } },
  ]);
  const text = await metrics.text();
  expect(text).toMatch(/^cardbridge_audit_seals_total 1$/m);
  expect(text).toMatch(/^cardbridge_audit_unsealed_oldest_seconds 12.5$/m);
  expect(text).not.toContain("plt_1");
});

it("an unknown age is not a number", async () => {
  const unsealed = () => Promise.reject(new Error("away"));
  const metrics = idleMetrics({ unsealed });
  const text = await metrics.text();
  expect(text).toMatch(/^cardbridge_audit_unsealed_oldest_seconds Nan$/m);
});
