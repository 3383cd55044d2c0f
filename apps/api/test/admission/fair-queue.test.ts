import { expect, it } from "vitest";
import { createFairQueue } from "../../src/admission/fair-queue.ts";

/** A queue whose iterations of the event loop the test begins, and the calls that have begun, in order. */
function startQueue(options: { atOnce: number; before?: number }) {
  const scheduled: (() => void)[] = [];
  const queue = createFairQueue({ ...options, schedule: (next) => scheduled.push(next) });
  const [begun, refused]: [string[], string[]] = [[], []];
  return {
    begun,
    refused,
    scheduled,
    async arrive(...names: string[]) {
      for (const name of names) {
        const wait = queue.enter(name.slice(0, 1));
        if (wait) void wait.then((failure) => (failure ? refused : begun).push(name));
        else begun.push(name);
      }
    },
    /** Begins the next iteration, and returns what begins in it. */
    async iterate() {
      const before = begun.length;
      for (const next of scheduled.splice(0)) next();
      await Promise.resolve();
      return begun.slice(before);
    },
  };
}

it("some calls begin at once, and the others round robin over the holders", async () => {
  const { begun, arrive, iterate } = startQueue({ atOnce: 2 });
  await arrive("a1", "a2", "a3", "a4", "a5", "b1", "b2");
  expect(begun).toEqual(["a1", "a2"]);
  expect(await iterate()).toEqual(["a3", "b1"]);
  await arrive("c1");
  expect(await iterate()).toEqual(["a4", "b2"]);
  expect(await iterate()).toEqual(["c1", "a5"]);
});

it("a call does not overtake those that wait, and nothing is scheduled once all have begun", async () => {
  const { begun, scheduled, arrive, iterate } = startQueue({ atOnce: 1 });
  await arrive("a1", "a2");
  await iterate();
  await arrive("a3");
  expect(begun).toEqual(["a1", "a2"]);
  expect(await iterate()).toEqual(["a3"]);
  expect(await iterate()).toEqual([]);
  expect(scheduled).toEqual([]);
  await arrive("a4");
  expect(begun.at(-1)).toBe("a4");
});

it("a call is refused after many others, except the last one of its holder", async () => {
  const { refused, arrive, iterate } = startQueue({ atOnce: 1, before: 2 });
  await arrive("a1", "a2", "a3", "a4", "a5", "b1");
  expect([await iterate(), await iterate(), await iterate()]).toEqual([["a2"], ["b1"], ["a3"]]);
  expect(refused).toEqual([]);
  expect(await iterate()).toEqual(["a5"]);
  expect(refused).toEqual(["a4"]);
});
