import type { Labels } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createLog } from "../../src/observability/log.ts";
import { createMetrics } from "../../src/observability/metrics.ts";

it("the log has only known labels, and metrics have only words", async () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const metrics = createMetrics({
    droppedLines: () => 0,
    waiting: async () => [],
    unsealed: async () => [],
    deliveries: async () => ({ pending: 0, oldestSeconds: 0, disabledEndpoints: 0 }),
  });
  const user = { email: "ada@example.com", memberId: "member-1" };
  const labels: Labels = { reason: "deadline", kycRecordId: "kyc_1", ...user, ...{ user } };
  for (const observer of [log, metrics]) observer.observe("kyc_outcome_unknown", labels);

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: "kyc_outcome_unknown",
      labels: { reason: "deadline", kycRecordId: "kyc_1" },
    }),
  ]);
  const text = await (await metrics.app.request("/metrics")).text();
  expect(text).toContain('cardbridge_kyc_outcome_unknown_total{reason="deadline"} 1');
  expect(text).not.toMatch(/ada|member|kyc_1/);
});
