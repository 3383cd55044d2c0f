import { readFile } from "node:fs/promises";
import {
  decideDelivery,
  maxWebhookAttempts,
  subscribedEventTypes,
  webhookPayloads,
} from "@cardbridge/domain";
import { expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const guide = await readFile(new URL("docs/platforms/webhooks.md", root), "utf8");

it.each(["webhooks-hono", "webhooks-express", "webhooks-fastify", "webhook-inbox"])(
  "the guide to webhooks shows the client's example %s",
  async (name) => {
    const example = await readFile(new URL(`packages/client/examples/${name}.mjs`, root), "utf8");
    expect(guide).toContain(`\`\`\`js illustration\n${example}\`\`\``);
  },
);

it("the guide's table has the delays between attempts", () => {
  const rows = ["| 1 | | |"];
  let sinceFirst = 0;
  for (let attempt = 1; attempt < maxWebhookAttempts; attempt += 1) {
    const decision = decideDelivery(attempt, { kind: "undelivered", reason: "deadline" }, 0.5);
    const delay = decision.kind === "retry" ? decision.delayMs : 0;
    sinceFirst += delay;
    rows.push(`| ${attempt + 1} | ${duration(delay)} | ${duration(sinceFirst)} |`);
  }
  expect(guide).toContain(`| --- | --- | --- |\n${rows.join("\n")}\n\n`);
});

it("the guide names every type of event, and shows the published example", () => {
  for (const { type } of webhookPayloads) expect(guide).toContain(`| \`${type}\` |`);
  const shown = /```json illustration\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  expect(webhookPayloads.map(({ example }) => example)).toContainEqual(JSON.parse(shown));
  expect(guide).toContain(`"eventTypes": ${JSON.stringify(subscribedEventTypes).replaceAll(",", ", ")}`);
});

function duration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds} seconds`;
  const [count, unit] = seconds < 3_600 ? [seconds / 60, "minutes"] : [seconds / 3_600, "hours"];
  return `${Math.round(count)} ${unit}`;
}
