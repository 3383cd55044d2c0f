import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCache } from "../src/cache.ts";

const name = Buffer.from("name");

/** A cache whose changes are made by the test. */
function aCache(seconds = 60) {
  let onChange = (_name: string | null) => {};
  const state = { heard: true };
  const cached = createCache<object>({
    seconds,
    changes: {
      areHeard: () => state.heard,
      subscribe: (callback) => {
        onChange = callback;
      },
      close: async () => {},
    },
  });
  return { cached, state, change: (changed: string | null) => onChange(changed) };
}

/** A look-up that counts its calls, with a result that can be changed. */
function aLookUp(first: object | null) {
  const state = { result: first, calls: 0 };
  const lookUp = async () => {
    state.calls += 1;
    return state.result;
  };
  return { state, lookUp };
}

test("a result is not looked up again while it is cached", async () => {
  const { cached } = aCache();
  const { state, lookUp } = aLookUp({ is: "there" });
  for (let call = 0; call < 3; call += 1) expect(await cached(name, lookUp)).toEqual({ is: "there" });
  expect(await cached(Buffer.from("another"), lookUp)).toEqual({ is: "there" });
  expect(state.calls).toBe(2);
});

test("misses and failures are never cached", async () => {
  const { cached } = aCache();
  const { state, lookUp } = aLookUp(null);
  expect(await cached(name, lookUp)).toBeNull();
  await expect(cached(name, () => Promise.reject(new Error("no database")))).rejects.toThrow("no database");
  state.result = { is: "there" };
  expect(await cached(name, lookUp)).toEqual({ is: "there" });
});

test("the time counts from the start of the look-up", async () => {
  const { cached } = aCache(0.05);
  const { state, lookUp } = aLookUp({ is: "there" });
  await cached(name, async () => {
    await wait(60);
    return lookUp();
  });
  await cached(name, lookUp);
  expect(state.calls).toBe(2);
});

test.each([
  [0.05, 60],
  [0, 0],
  [-1, 0],
])("a result that expires in %d s is cached no longer", async (seconds, pause) => {
  const { cached } = aCache();
  const { state, lookUp } = aLookUp({ is: "there" });
  const expiring = (limitAge: (seconds: number) => void) => {
    limitAge(seconds);
    return lookUp();
  };
  await cached(name, expiring);
  await wait(pause);
  await cached(name, expiring);
  expect(state.calls).toBe(2);
});

test("a change drops its own result, and an unknown change drops all", async () => {
  const { cached, change } = aCache();
  const { state, lookUp } = aLookUp({ is: "there" });
  const another = Buffer.from("another");
  const both = () => Promise.all([cached(name, lookUp), cached(another, lookUp)]);
  await both();
  change(name.toString("hex"));
  await both();
  expect(state.calls).toBe(3);
  change(null);
  await both();
  expect(state.calls).toBe(5);
});

test("a result whose look-up began before a change is returned, and not cached", async () => {
  const { cached, change } = aCache();
  const { state, lookUp } = aLookUp({ is: "new" });
  const old = await cached(name, async () => {
    change(name.toString("hex"));
    return { is: "old" };
  });
  expect(old).toEqual({ is: "old" });
  expect(await cached(name, lookUp)).toEqual({ is: "new" });
  expect(state.calls).toBe(1);
});

test("while changes are not heard, nothing is cached and nothing cached is used", async () => {
  const { cached, state } = aCache();
  const old = aLookUp({ is: "old" });
  const now = aLookUp({ is: "new" });
  await cached(name, old.lookUp);
  state.heard = false;
  for (let call = 0; call < 2; call += 1) expect(await cached(name, now.lookUp)).toEqual({ is: "new" });
  expect(now.state.calls).toBe(2);
});

test("without options nothing is cached", async () => {
  const { state, lookUp } = aLookUp({ is: "there" });
  const cached = createCache<object>(undefined);
  for (let call = 0; call < 2; call += 1) await cached(name, lookUp);
  expect(state.calls).toBe(2);
});
