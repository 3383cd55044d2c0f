import { Failure } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { watchOutages } from "../../src/admission/outage.ts";

/** A watch with a manual clock, and work that ends when the test ends it. */
function world() {
  let time = 0;
  const watch = watchOutages(() => time);
  return {
    isAway: watch.isAway,
    pass: (ms: number) => {
      time += ms;
    },
    start() {
      const work = Promise.withResolvers<string>();
      const result = watch.run(() => work.promise).catch(({ code, name }) => code ?? name);
      return {
        end() {
          work.resolve("done");
          return result;
        },
        fail(error: Error) {
          work.reject(error);
          return result;
        },
      };
    },
  };
}

it("an idle database is not away", () => {
  const { isAway, pass } = world();
  pass(60_000);
  expect(isAway()).toBe(false);
});

it("a database is away while work runs and none ends for more than 250 ms", async () => {
  const { isAway, pass, start } = world();
  pass(60_000);
  const [first, second] = [start(), start()];
  pass(250);
  expect(isAway()).toBe(false);
  pass(1);
  expect(isAway()).toBe(true);
  await first.end();
  expect(isAway()).toBe(false);
  pass(251);
  expect(isAway()).toBe(true);
  await second.end();
  pass(60_000);
  expect(isAway()).toBe(false);
});

it("a database is not away while it ends work, however much waits", async () => {
  const { isAway, pass, start } = world();
  const waiting = Array.from({ length: 50 }, start);
  for (const work of waiting) {
    pass(200);
    expect(isAway()).toBe(false);
    await work.end();
  }
});

it("a database is away after it was found unavailable, until the next work succeeds", async () => {
  const { isAway, start } = world();
  expect(await start().fail(new Failure("SERVICE_UNAVAILABLE"))).toBe("SERVICE_UNAVAILABLE");
  expect(isAway()).toBe(true);
  await start().end();
  expect(isAway()).toBe(false);
});

it("a database that refuses a statement is not away", async () => {
  const { isAway, start } = world();
  expect(await start().fail(new Failure("USER_IDENTITY_CONFLICT"))).toBe("USER_IDENTITY_CONFLICT");
  expect(await start().fail(new TypeError("a bug"))).toBe("TypeError");
  expect(isAway()).toBe(false);
});
