import type { Audit, AuditSeal } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createLog } from "../src/observability/log.ts";
import { createMetrics } from "../src/observability/metrics.ts";
import { sealAudit } from "../src/worker/seal-audit.ts";

/** A worker's look over an audit with these platforms; an error is what its sealing ends in. */
async function sealing(
  platforms: Record<string, Partial<AuditSeal> | Error | null>,
  audit: Partial<Audit> = {},
) {
  const observed: unknown[] = [];
  const left = await sealAudit({
    observer: { observe: (...told) => observed.push(told) },
    audit: {
      note: async () => {},
      unsealed: async () => Object.keys(platforms).map((platformId) => ({ platformId, oldestSeconds: 1 })),
      async seal(platformId, most) {
        const sealed = platforms[platformId];
        if (sealed instanceof Error) throw sealed;
        return sealed ? { platformId, number: 1, count: most, hash: "00ff", ...sealed } : null;
      },
      ...audit,
    },
  });
  return { left, observed };
}

it("tells of each seal, and goes on when one platform cannot be sealed, or not yet", async () => {
  const platforms = { one: { number: 7, count: 3 }, two: new Error("no"), three: null, four: { count: 1 } };
  expect(await sealing(platforms)).toEqual({
    left: "done",
    observed: [
      ["audit_sealed", { platformId: "one", seal: "7", hash: "00ff" }],
      ["audit_not_sealed", { platformId: "two" }],
      ["audit_sealed", { platformId: "four", seal: "1", hash: "00ff" }],
    ],
  });
});

it("comes back at once when a seal was full", async () => {
  expect(await sealing({ one: {} })).toMatchObject({ left: "more" });
});

it("says so when it cannot look, and does not throw", async () => {
  const away = async () => {
    throw new Error("away");
  };
  expect(await sealing({}, { unsealed: away })).toEqual({ left: "done", observed: [["audit_not_sealed"]] });
});

it("a seal is a line of the log and a number among the metrics, which name no platform", async () => {
  const lines: string[] = [];
  const unsealed = async () => [12.5, 3].map((oldestSeconds) => ({ platformId: "plt_1", oldestSeconds }));
  const metrics = createMetrics({ droppedLines: () => 0, waiting: async () => [], unsealed });
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

it("an age that nobody knows is no age", async () => {
  const unsealed = () => Promise.reject(new Error("away"));
  const metrics = createMetrics({ droppedLines: () => 0, waiting: async () => [], unsealed });
  const text = await (await metrics.app.request("/metrics")).text();
  expect(text).toMatch(/^cardbridge_audit_unsealed_oldest_seconds Nan$/m);
});
