import { auditVerified, rewrapped } from "@cardbridge/domain";
import { expect, it } from "vitest";
import type { z } from "zod";
import { audit } from "../../src/cli/audit.ts";
import { runBatches } from "../../src/cli/batches.ts";
import { encryptionKeys } from "../../src/cli/nouns.ts";

/** Returns these batches one after another. Records the inputs and the progress lines. */
function batchesOf<S extends z.ZodType>(schema: S, ...results: z.input<S>[]) {
  const inputs: unknown[] = [];
  const lines: string[] = [];
  const execute = async (input: object) => {
    inputs.push(input);
    return schema.parse(results.shift());
  };
  return { execute, inputs, lines, progress: (line: string) => void lines.push(line) };
}

it("rewraps until there is no next batch, and adds the batches up", async () => {
  const { execute, inputs, lines, progress } = batchesOf(
    rewrapped,
    { version: 2, rewrapped: 100, failed: 0, next: "usr_a" },
    { version: 2, rewrapped: 99, failed: 1, next: "usr_b" },
    { version: 2, rewrapped: 0, failed: 0, next: null },
  );
  expect(await runBatches(execute, {}, { add: encryptionKeys.rewrap.add, progress })).toEqual({
    version: 2,
    rewrapped: 199,
    failed: 1,
    next: null,
  });
  expect(inputs).toEqual([{}, { after: "usr_a" }, { after: "usr_b" }]);
  expect(lines).toEqual(["version 2, rewrapped 100, failed 0 …", "version 2, rewrapped 199, failed 1 …"]);
});

it("verifies until there is no next batch, and adds the batches up", async () => {
  const [first, last, known] = [
    { number: 1, hash: "c".repeat(64) },
    { number: 21, hash: "b".repeat(64) },
    { number: 3, hash: "a".repeat(64) },
  ];
  const { execute, inputs, progress } = batchesOf(
    auditVerified,
    {
      checkpoints: 20,
      entries: 300,
      anchor: first,
      last: known,
      problems: ["One."],
      next: 20,
      pending: null,
    },
    { checkpoints: 1, entries: 7, anchor: first, last, problems: ["Two."], next: 21, pending: null },
    { checkpoints: 0, entries: 0, anchor: first, last: null, problems: [], next: null, pending: 4 },
  );
  const input = { platformId: "plt_1", known };
  expect(await runBatches(execute, input, { add: audit.verify.add, progress })).toEqual({
    checkpoints: 21,
    entries: 307,
    anchor: first,
    last,
    problems: ["One.", "Two."],
    next: null,
    pending: 4,
  });
  expect(inputs).toEqual([input, { ...input, after: 20 }, { ...input, after: 21 }]);
});
