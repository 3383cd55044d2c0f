import { readFile } from "node:fs/promises";
import { subscribedEventTypes } from "@cardbridge/domain";
import { expect, it } from "vitest";

it("the guide to webhooks subscribes to every type", async () => {
  const guide = await readFile(new URL("../../../../docs/platforms/webhooks.md", import.meta.url), "utf8");
  expect(guide).toContain(`"eventTypes": ${JSON.stringify(subscribedEventTypes).replaceAll(",", ", ")}`);
});
