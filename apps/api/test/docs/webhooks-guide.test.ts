import { readFile } from "node:fs/promises";
import { subscribedEventTypes, webhookPayloads } from "@cardbridge/domain";
import { expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const guide = await readFile(new URL("docs/platforms/webhooks.md", root), "utf8");

it("the guide shows the published example of an event, and subscribes to every type", () => {
  const shown = /```json illustration\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  expect(webhookPayloads.map(({ example }) => example)).toContainEqual(JSON.parse(shown));
  expect(guide).toContain(`"eventTypes": ${JSON.stringify(subscribedEventTypes).replaceAll(",", ", ")}`);
});
