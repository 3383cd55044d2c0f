import type { Audit, AuditCheckpoint } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { checkpointAudit } from "../../src/audit/checkpoint.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Checkpoints the audits of these platforms; an error makes the checkpointing of its platform fail. */
async function checkpointing(
  platforms: Record<string, Partial<AuditCheckpoint> | Error | null>,
  audit: Partial<Audit> = {},
) {
  const { ports, observed } = fakePorts();
  ports.audit = {
    ...ports.audit,
    pending: async () => Object.keys(platforms).map((platformId) => ({ platformId, oldestSeconds: 1 })),
    async checkpoint(platformId, limit) {
      const checkpointed = platforms[platformId];
      if (checkpointed instanceof Error) throw checkpointed;
      return checkpointed ? { platformId, number: 1, count: limit, hash: "00ff", ...checkpointed } : null;
    },
    ...audit,
  };
  return { more: await checkpointAudit(ports), observed };
}

it("observes each checkpoint, and continues after a platform that fails or has nothing to checkpoint", async () => {
  const platforms = { one: { number: 7, count: 3 }, two: new Error("no"), three: null, four: { count: 1 } };
  expect(await checkpointing(platforms)).toEqual({
    more: false,
    observed: [
      ["audit_checkpoint_created", { platformId: "one", checkpoint: "7", hash: "00ff" }],
      ["audit_checkpoint_failed", { platformId: "two" }],
      ["audit_checkpoint_created", { platformId: "four", checkpoint: "1", hash: "00ff" }],
    ],
  });
});

it("reports more work after a full checkpoint", async () => {
  expect(await checkpointing({ one: {} })).toMatchObject({ more: true });
});

it("observes a failed query and does not throw", async () => {
  const away = async () => {
    throw new Error("away");
  };
  expect(await checkpointing({}, { pending: away })).toEqual({
    more: false,
    observed: [["audit_checkpoint_failed"]],
  });
});
