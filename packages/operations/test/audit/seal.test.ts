import type { Audit, AuditSeal } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { sealAudit } from "../../src/audit/seal.ts";
import { workerCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Seals an audit with these platforms; an error is how the sealing of a platform fails. */
async function sealing(
  platforms: Record<string, Partial<AuditSeal> | Error | null>,
  audit: Partial<Audit> = {},
) {
  const { ports, observed } = fakePorts();
  ports.audit = {
    ...ports.audit,
    unsealed: async () => Object.keys(platforms).map((platformId) => ({ platformId, oldestSeconds: 1 })),
    async seal(platformId, limit) {
      const sealed = platforms[platformId];
      if (sealed instanceof Error) throw sealed;
      return sealed ? { platformId, number: 1, count: limit, hash: "00ff", ...sealed } : null;
    },
    ...audit,
  };
  const { data } = await sealAudit.execute(ports, workerCall, {});
  return { more: data.more, observed: observed.filter(([event]) => event !== "operation_call") };
}

it("observes each seal, and goes on when a platform cannot be sealed, or not yet", async () => {
  const platforms = { one: { number: 7, count: 3 }, two: new Error("no"), three: null, four: { count: 1 } };
  expect(await sealing(platforms)).toEqual({
    more: false,
    observed: [
      ["audit_sealed", { platformId: "one", seal: "7", hash: "00ff" }],
      ["audit_not_sealed", { platformId: "two" }],
      ["audit_sealed", { platformId: "four", seal: "1", hash: "00ff" }],
    ],
  });
});

it("has more to do when a seal was full", async () => {
  expect(await sealing({ one: {} })).toMatchObject({ more: true });
});

it("observes that it cannot look, and does not throw", async () => {
  const away = async () => {
    throw new Error("away");
  };
  expect(await sealing({}, { unsealed: away })).toEqual({ more: false, observed: [["audit_not_sealed"]] });
});
