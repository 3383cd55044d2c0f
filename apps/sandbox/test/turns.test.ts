import { expect, test } from "vitest";
import { createTurns } from "../src/turns.ts";

test("works of one name are done one after the other, those of another at once", async () => {
  const turns = createTurns();
  const done: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = (name: string, until?: Promise<void>) => async () => {
    await until;
    done.push(name);
  };
  const first = turns.take("one", work("first", held));
  const second = turns.take("one", work("second"));
  await turns.take("other", work("other"));
  release();
  await Promise.all([first, second]);
  expect(done).toEqual(["other", "first", "second"]);
});

test("one that fails tells its caller, and holds up nobody", async () => {
  const turns = createTurns();
  const failing = turns.take("one", () => Promise.reject(new Error("The disk is full.")));
  const next = turns.take("one", async () => "done");
  await expect(failing).rejects.toThrow("The disk is full.");
  expect(await next).toBe("done");
});
