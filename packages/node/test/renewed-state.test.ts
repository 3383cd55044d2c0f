import { expect, it } from "vitest";
import { renewedState } from "../src/renewed-state.ts";

/** A state with a manual clock, whose checks end when the test ends them. */
function stateOf() {
  let now = 0;
  const checks: PromiseWithResolvers<string>[] = [];
  const read = renewedState(
    () => {
      const check = Promise.withResolvers<string>();
      checks.push(check);
      return check.promise;
    },
    { now: () => now },
  );
  return {
    read,
    checks,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it("is checked once a second for any number of readers", async () => {
  const { read, checks, pass } = stateOf();
  const first = Array.from({ length: 400 }, () => read());
  checks[0]?.resolve("ready");
  expect(new Set(await Promise.all(first))).toEqual(new Set(["ready"]));
  pass(999);
  expect([await read(), checks.length]).toEqual(["ready", 1]);
  pass(1);
  const second = read();
  checks[1]?.resolve("not ready");
  expect([await second, await read(), checks.length]).toEqual(["not ready", "not ready", 2]);
});

it("is never checked twice at once, however long a check takes", async () => {
  const { read, checks, pass } = stateOf();
  const slow = read();
  pass(5_000);
  const later = read();
  expect(checks).toHaveLength(1);
  checks[0]?.resolve("ready");
  expect(await Promise.all([slow, later])).toEqual(["ready", "ready"]);
});

it("is checked again after a check that failed", async () => {
  const { read, checks, pass } = stateOf();
  const failed = read();
  checks[0]?.reject(new Error("no database"));
  await expect(failed).rejects.toThrow("no database");
  pass(1_000);
  const next = read();
  checks[1]?.resolve("ready");
  expect(await next).toBe("ready");
});
