import type { Audit, AuditSeal } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { sealAudit } from "../../src/audit/seal.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Seals the audits of these platforms; an error makes the sealing of its platform fail. */
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
  return { more: await sealAudit(ports), observed };
}

it("observes each seal, and continues after a platform that fails or has nothing to seal", async () => {
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

it("reports more work after a full seal", async () => {
  expect(await sealing({ one: {} })).toMatchObject({ more: true });
});

it("observes a failed query and does not throw", async () => {
  const away = async () => {
    throw new Error("away");
  };
  expect(await sealing({}, { unsealed: away })).toEqual({ more: false, observed: [["audit_not_sealed"]] });
});
