import { Failure } from "@cardbridge/domain";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createKeyChecks } from "../../src/trpc/key-checks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const revoked = new Failure("UNAUTHENTICATED");

/** A key that is valid until the test revokes it. */
function aKey() {
  const key = { checks: 0, valid: true, failures: [] as unknown[] };
  const check = async () => {
    key.checks += 1;
    if (!key.valid) throw revoked;
  };
  return { key, check, onFailure: (error: unknown) => void key.failures.push(error) };
}

it("checks every watched key once a second, and reports a failure once", async () => {
  const checks = createKeyChecks(1_000);
  const [one, two] = [aKey(), aKey()];
  checks.watch(one.check, one.onFailure);
  checks.watch(two.check, two.onFailure);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([one.key.checks, two.key.checks]).toEqual([3, 3]);
  one.key.valid = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect([one.key.checks, one.key.failures]).toEqual([4, [revoked]]);
  expect([two.key.checks, two.key.failures]).toEqual([6, []]);
});

it("has no timer without a key, and checks a later key", async () => {
  const checks = createKeyChecks(1_000);
  const one = aKey();
  const unwatch = checks.watch(one.check, one.onFailure);
  unwatch();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([one.key.checks, vi.getTimerCount()]).toEqual([0, 0]);
  checks.watch(one.check, one.onFailure);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(one.key.checks).toBe(1);
});

it("a check that could not run ends nothing, and the next one decides", async () => {
  const checks = createKeyChecks(1_000);
  const outcomes = [new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 }), undefined, revoked];
  const failures: unknown[] = [];
  const check = async () => {
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
  };
  checks.watch(check, (error) => void failures.push(error));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([outcomes, failures]).toEqual([[revoked], []]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failures).toEqual([revoked]);
});

it("a check that hangs delays no other", async () => {
  const checks = createKeyChecks(1_000);
  const other = aKey();
  checks.watch(
    () => new Promise(() => {}),
    () => {},
  );
  checks.watch(other.check, other.onFailure);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(other.key.checks).toBe(3);
});

it("does not start a check while the last one waits, and reports nothing for a key that is no longer watched", async () => {
  const checks = createKeyChecks(1_000);
  const { promise, reject } = Promise.withResolvers<void>();
  const failures: unknown[] = [];
  let started = 0;
  const unwatch = checks.watch(
    () => {
      started += 1;
      return promise;
    },
    (error) => void failures.push(error),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(started).toBe(1);
  unwatch();
  reject(new Error("late"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([started, failures, vi.getTimerCount()]).toEqual([1, [], 0]);
});
