import { expect, test } from "vitest";
import { createLookupCache } from "../src/database/lookup-cache.ts";

/** A cache of one second, and its clock. */
function aCache(seconds = 1) {
  const clock = { now: 5_000 };
  return { clock, cache: createLookupCache({ seconds, now: () => clock.now }) };
}

/** A look-up that counts its calls and whose result can be changed. */
function aLookUp(first: object | null = { is: "there" }) {
  const state = { result: first, calls: 0 };
  const lookUp = async () => {
    state.calls += 1;
    return state.result;
  };
  return { state, lookUp };
}

test("a result is cached for one second and returned without a promise", async () => {
  const { cache, clock } = aCache();
  const { state, lookUp } = aLookUp();
  await cache.find("key a", lookUp);
  clock.now += 999;
  expect(cache.find("key a", lookUp)).toEqual({ is: "there" });
  await cache.find("key b", lookUp);
  expect(state.calls).toBe(2);
  clock.now += 2;
  await cache.find("key a", lookUp);
  expect(state.calls).toBe(3);
});

test("misses and failures are not cached", async () => {
  const { cache } = aCache();
  const { state, lookUp } = aLookUp(null);
  expect(await cache.find("key a", lookUp)).toBeNull();
  await expect(cache.find("key a", () => Promise.reject(new Error("no database")))).rejects.toThrow(
    "no database",
  );
  state.result = { is: "there" };
  expect(await cache.find("key a", lookUp)).toEqual({ is: "there" });
});

test.each([
  { name: "started a second ago", slow: 1_001, expiresIn: 1, after: 0 },
  { name: "expires in 50 ms", slow: 0, expiresIn: 0.05, after: 51 },
  { name: "expires now", slow: 0, expiresIn: 0, after: 0 },
  { name: "has expired", slow: 0, expiresIn: -1, after: 0 },
])("a result whose look-up $name is not cached", async ({ slow, expiresIn, after }) => {
  const { cache, clock } = aCache();
  const { state, lookUp } = aLookUp();
  const find = () =>
    cache.find("key a", (limit) => {
      clock.now += slow;
      limit(expiresIn);
      return lookUp();
    });
  await find();
  clock.now += after;
  await find();
  expect(state.calls).toBe(2);
});

test("a cache of 0 seconds caches nothing", async () => {
  const { cache } = aCache(0);
  const { state, lookUp } = aLookUp();
  for (let call = 0; call < 2; call += 1) await cache.find("key a", lookUp);
  expect(state.calls).toBe(2);
});
