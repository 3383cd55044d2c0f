import { expect, it, onTestFinished } from "vitest";
import { createRedisRate } from "../../src/admission/redis-rate.ts";
import { unusedPort } from "../support/unused-port.ts";

it("the reason of an unavailable server is the system's code", async () => {
  const reasons: string[] = [];
  const rate = createRedisRate(`redis://127.0.0.1:${await unusedPort()}`, (reason) => reasons.push(reason));
  onTestFinished(rate.close);
  const take = () => rate.take("reads:plt_1", { calls: 10, seconds: 1 });
  const lastReason = async () => {
    await take();
    return reasons.at(-1);
  };
  await expect.poll(lastReason, { timeout: 60_000 }).toBe("ECONNREFUSED");
});
