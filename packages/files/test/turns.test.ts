import { expect, it } from "vitest";
import { takeTurns } from "../src/turns.ts";

it("runs so many at once, all of them, and in order, whether they fail or not", async () => {
  const inTurn = takeTurns(2);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const results = Array.from({ length: 9 }, (_, index) =>
    inTurn(async () => {
      order.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index % 3 === 0) throw new Error("no");
    }),
  );
  await Promise.allSettled(results);
  expect({ most, running, order }).toEqual({ most: 2, running: 0, order: [0, 1, 2, 3, 4, 5, 6, 7, 8] });
});
