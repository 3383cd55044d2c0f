import type { Labels } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createLog } from "../../src/telemetry/log.ts";
import { idleMetrics } from "../support/metrics.ts";

it("the log has only known labels, and metrics have only declared ones", async () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const metrics = idleMetrics();
  const user = { email: "ada@example.com", memberId: "member-1" };
  const unknown: object = { ...user, user };
  const labels: Labels = {
    step: "ask",
    outcome: "unknown",
    reason: "deadline",
    kycRecordId: "kyc_1",
    ...unknown,
  };
  for (const observer of [log, metrics]) observer.observe("kyc_outcome_unknown", labels);

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: "kyc_outcome_unknown",
      labels: { step: "ask", outcome: "unknown", reason: "deadline", kycRecordId: "kyc_1" },
    }),
  ]);
  const text = await metrics.text();
  expect(text).toContain('cardbridge_kyc_outcomes_unknown_total{step="ask",outcome="unknown"} 1');
  expect(text).not.toMatch(/ada@|member-1|kyc_1/);
});

it("a checkpoint of the audit is logged with its platform, and counted without it", async () => {
  const lines: string[] = [];
  const pending = async () => [12.5, 3].map((oldestSeconds) => ({ platformId: "plt_1", oldestSeconds }));
  const metrics = idleMetrics({ pending });
  const labels = { platformId: "plt_1", checkpoint: "7", hash: "00ff" };
  for (const observer of [createLog("info", { write: (line) => void lines.push(line) }), metrics])
    observer.observe("audit_checkpoint_created", labels);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: "audit_checkpoint_created", labels }]);
  const text = await metrics.text();
  expect(text).toMatch(/^cardbridge_audit_checkpoints_total 1$/m);
  expect(text).toMatch(/^cardbridge_audit_pending_oldest_seconds 12.5$/m);
  expect(text).not.toContain("plt_1");
});
