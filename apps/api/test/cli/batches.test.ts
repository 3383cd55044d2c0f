import { expect, it } from "vitest";
import { verifyAll } from "../../src/cli/audit/verify.ts";
import { rewrapAll } from "../../src/cli/encryption-keys/rewrap.ts";
import type { Run } from "../../src/cli/session.ts";

/** Runs no operation: returns these batches in turn, and keeps the inputs. */
function batches(...results: unknown[]) {
  const inputs: unknown[] = [];
  const run: Run = async (operation, input) => {
    inputs.push(input);
    return operation.output.parse(results.shift());
  };
  return { run, inputs };
}

it("rewraps until there is no next batch, and adds the batches up", async () => {
  const { run, inputs } = batches(
    { version: 2, rewrapped: 100, failed: 0, next: "usr_a" },
    { version: 2, rewrapped: 99, failed: 1, next: "usr_b" },
    { version: 2, rewrapped: 0, failed: 0, next: null },
  );
  const progress: number[] = [];
  expect(await rewrapAll(run, ({ rewrapped }) => progress.push(rewrapped))).toEqual({
    version: 2,
    rewrapped: 199,
    failed: 1,
  });
  expect(inputs).toEqual([{}, { after: "usr_a" }, { after: "usr_b" }]);
  expect(progress).toEqual([100, 199, 199]);
});

it("verifies until there is no next batch, and adds the batches up", async () => {
  const [last, known] = [
    { number: 21, hash: "b".repeat(64) },
    { number: 3, hash: "a".repeat(64) },
  ];
  const { run, inputs } = batches(
    { seals: 20, entries: 300, last: known, problems: ["One."], next: 20, unsealed: null },
    { seals: 1, entries: 7, last, problems: ["Two."], next: 21, unsealed: null },
    { seals: 0, entries: 0, last: null, problems: [], next: null, unsealed: 4 },
  );
  expect(await verifyAll(run, { platformId: "plt_1", known }, () => {})).toEqual({
    seals: 21,
    entries: 307,
    last,
    problems: ["One.", "Two."],
    unsealed: 4,
  });
  expect(inputs).toEqual([0, 20, 21].map((after) => ({ platformId: "plt_1", known, after })));
});
