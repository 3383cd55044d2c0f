import { expect, it } from "vitest";
import { createLog } from "../../src/log/log.ts";
import { idleMetrics } from "../support/metrics.ts";

it("a checkpoint is logged and counted, and metrics contain no platform", async () => {
  const lines: string[] = [];
  const pending = async () => [12.5, 3].map((oldestSeconds) => ({ platformId: "plt_1", oldestSeconds }));
  const metrics = idleMetrics({ pending });
  for (const observer of [createLog("info", { write: (line) => void lines.push(line) }), metrics]) {
    observer.observe("audit_checkpoint_created", { platformId: "plt_1", checkpoint: "7", hash: "00ff" });
    observer.observe("operation_call", { operation: "cards.list", outcome: "done" });
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 30,
      msg: "audit_checkpoint_created",
      labels: { platformId: "plt_1", checkpoint: "7", hash: "00ff" },
    },
  ]);
  const text = await metrics.text();
  expect(text).toMatch(/^cardbridge_audit_checkpoints_total 1$/m);
  expect(text).toMatch(/^cardbridge_audit_pending_oldest_seconds 12.5$/m);
  expect(text).not.toContain("plt_1");
});

it("an unknown age is exported as NaN", async () => {
  const pending = () => Promise.reject(new Error("away"));
  const metrics = idleMetrics({ pending });
  const text = await metrics.text();
  expect(text).toMatch(/^cardbridge_audit_pending_oldest_seconds Nan$/m);
});
