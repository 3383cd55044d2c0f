import { Failure } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { watchOutages } from "../../src/admission/outage.ts";

/** A watch with a manual clock, and work that ends when the test ends it. */
function world() {
  let time = 0;
  const watch = watchOutages(() => time);
  return {
    isUnavailable: watch.isUnavailable,
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

it("a database is unavailable while work runs and none ends for more than 250 ms", async () => {
  const { isUnavailable, pass, start } = world();
  pass(60_000);
  const [first, second] = [start(), start()];
  pass(250);
  expect(isUnavailable()).toBe(false);
  pass(1);
  expect(isUnavailable()).toBe(true);
  await first.end();
  expect(isUnavailable()).toBe(false);
  pass(251);
  expect(isUnavailable()).toBe(true);
  await second.end();
  pass(60_000);
  expect(isUnavailable()).toBe(false);
});

it("a database is available while it ends work, however much waits", async () => {
  const { isUnavailable, pass, start } = world();
  const waiting = Array.from({ length: 50 }, start);
  for (const work of waiting) {
    pass(200);
    expect(isUnavailable()).toBe(false);
    await work.end();
  }
});

it("a database that work found unavailable stays so until the next work succeeds", async () => {
  const { isUnavailable, start } = world();
  expect(await start().fail(new Failure("SERVICE_UNAVAILABLE"))).toBe("SERVICE_UNAVAILABLE");
  expect(isUnavailable()).toBe(true);
  await start().end();
  expect(isUnavailable()).toBe(false);
});

it("a database that refuses a statement is available", async () => {
  const { isUnavailable, start } = world();
  expect(await start().fail(new Failure("USER_IDENTITY_CONFLICT"))).toBe("USER_IDENTITY_CONFLICT");
  expect(await start().fail(new TypeError("a bug"))).toBe("TypeError");
  expect(isUnavailable()).toBe(false);
});
