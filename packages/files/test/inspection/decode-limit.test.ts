import pLimit from "p-limit";
import { expect, it } from "vitest";

// The inspector runs its decoders behind this limit.
it("p-limit runs at most two tasks concurrently, in order, and continues after failures", async () => {
  const limit = pLimit(2);
  const order: number[] = [];
  let running = 0;
  let max = 0;
  const results = Array.from({ length: 9 }, (_, index) =>
    limit(async () => {
      order.push(index);
      max = Math.max(max, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index % 3 === 0) throw new Error("no");
    }),
  );
  await Promise.allSettled(results);
  expect({ max, running, order }).toEqual({ max: 2, running: 0, order: [0, 1, 2, 3, 4, 5, 6, 7, 8] });
});
