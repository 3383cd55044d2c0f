import { Failure } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { testImage } from "../support/images.ts";
import { createTestInspector } from "../support/inspector.ts";
import { outcomeOf } from "../support/outcome.ts";

const events: string[] = [];
const inspector = createTestInspector({
  scan: async () => {
    events.push("scan");
  },
  async runInSlot(platformId, work) {
    if (platformId === "plt_full") throw new Failure("RATE_LIMITED", { retryAfterSeconds: 1 });
    events.push(`${platformId} decodes`);
    const result = await work();
    events.push(`${platformId} is done`);
    return result;
  },
});

it("scans a file, then decodes it in a slot of its platform", async () => {
  const bytes = await testImage().jpeg().toBuffer();
  expect(await outcomeOf(inspector.inspect(bytes, "selfie", "plt_one"))).toBe("accepted");
  expect(events).toEqual(["scan", "plt_one decodes", "plt_one is done"]);
});

it("rejects with the failure of the slots when the platform has no slot", async () => {
  const bytes = await testImage().jpeg().toBuffer();
  expect(await outcomeOf(inspector.inspect(bytes, "selfie", "plt_full"))).toBe("RATE_LIMITED");
});

it("takes no slot for a file of a rejected type", async () => {
  events.length = 0;
  expect(await outcomeOf(inspector.inspect(Buffer.from("text"), "selfie", "plt_one"))).toBe("file-type");
  expect(events).toEqual([]);
});
