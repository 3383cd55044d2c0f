import { expect, test } from "vitest";
import { createKeyedQueue } from "../../src/submissions/keyed-queue.ts";

test("runs tasks with one key in sequence and tasks with another key concurrently", async () => {
  const queue = createKeyedQueue();
  const done: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const task = (name: string, until?: Promise<void>) => async () => {
    await until;
    done.push(name);
  };
  const first = queue.run("one", task("first", released));
  const second = queue.run("one", task("second"));
  await queue.run("other", task("other"));
  release();
  await Promise.all([first, second]);
  expect(done).toEqual(["other", "first", "second"]);
});

test("rejects for the caller of a failed task and continues with the next", async () => {
  const queue = createKeyedQueue();
  const failing = queue.run("one", () => Promise.reject(new Error("The disk is full.")));
  const next = queue.run("one", async () => "done");
  await expect(failing).rejects.toThrow("The disk is full.");
  expect(await next).toBe("done");
});
