import { auditVerified } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { audit } from "../../src/cli/audit.ts";
import { runBatches } from "../../src/cli/batches.ts";
import { encryptionKeys } from "../../src/cli/nouns.ts";

it("runs an operation until there is no next batch, shows the progress, and adds the batches up", async () => {
  const [first, last, known] = [
    { number: 1, hash: "c".repeat(64) },
    { number: 21, hash: "b".repeat(64) },
    { number: 3, hash: "a".repeat(64) },
  ];
  const results = [
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
  ];
  const inputs: unknown[] = [];
  const lines: string[] = [];
  const execute = async (given: object) => {
    inputs.push(given);
    return auditVerified.parse(results.shift());
  };
  const input = { platformId: "plt_1", known };
  const progress = (line: string) => void lines.push(line);
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
  expect(lines).toEqual(["checkpoints 20, entries 300 …", "checkpoints 21, entries 307 …"]);
});

it("adds up what was rewrapped and what failed", () => {
  const first = { version: 2, rewrapped: 100, failed: 1, next: "usr_a" };
  const last = { version: 2, rewrapped: 99, failed: 1, next: null };
  expect(encryptionKeys.rewrap.add(first, last)).toEqual({ ...last, rewrapped: 199, failed: 2 });
});
