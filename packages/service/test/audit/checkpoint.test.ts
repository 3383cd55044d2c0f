import type { Audit, AuditCheckpoint } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { checkpointAudit } from "../../src/audit/checkpoint.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Creates checkpoints for these platforms. An error fails the checkpoint of its platform. */
async function createCheckpoints(
  platforms: Record<string, Partial<AuditCheckpoint> | Error | null>,
  audit: Partial<Audit> = {},
) {
  const { ports, observed } = fakePorts();
  ports.audit = {
    ...ports.audit,
    pending: async () => Object.keys(platforms).map((platformId) => ({ platformId, oldestSeconds: 1 })),
    async checkpoint(platformId, limit) {
      const checkpoint = platforms[platformId];
      if (checkpoint instanceof Error) throw checkpoint;
      return checkpoint
        ? { platformId, number: 1, count: limit, commandLine: [], hash: "00ff", root: "ff00", ...checkpoint }
        : null;
    },
    ...audit,
  };
  return { more: await checkpointAudit(ports), observed };
}

it("observes each checkpoint, and continues after a failure and after a platform without entries", async () => {
  const lost = Object.assign(new Error("It broke."), { code: "57P01" });
  const platforms = { one: { number: 7, count: 3 }, two: lost, three: null, four: { count: 1 } };
  expect(await createCheckpoints(platforms)).toEqual({
    more: false,
    observed: [
      ["audit_checkpoint_created", { platformId: "one", checkpoint: "7", hash: "00ff", root: "ff00" }],
      ["audit_checkpoint_failed", { platformId: "two", reason: "57P01" }],
      ["audit_checkpoint_created", { platformId: "four", checkpoint: "1", hash: "00ff", root: "ff00" }],
    ],
  });
});

it("observes what the command line did", async () => {
  const platforms = { one: { count: 3, commandLine: ["keys.create", "keys.create"] } };
  const { observed } = await createCheckpoints(platforms);
  const act = ["command_line_act", { platformId: "one", operation: "keys.create" }];
  expect(observed.slice(1)).toEqual([act, act]);
});

it("reports more work after a full checkpoint", async () => {
  expect(await createCheckpoints({ one: {} })).toMatchObject({ more: true });
});

it("observes a failed query and does not throw", async () => {
  const unavailable = async () => {
    throw Object.assign(new Error("It broke."), { code: "ECONNREFUSED" });
  };
  expect(await createCheckpoints({}, { pending: unavailable })).toEqual({
    more: false,
    observed: [["audit_checkpoint_failed", { reason: "ECONNREFUSED" }]],
  });
});
