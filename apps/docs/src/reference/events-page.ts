import { events, exampleOf, parameterOf } from "../document/operations.ts";
import type { Page } from "../source/page.ts";
import { responseTable } from "../tables/fields.ts";
import { parametersTable } from "../tables/parameters.ts";
import { code, tableOf } from "../tables/rows.ts";
import { linkTo } from "./link.ts";

/** The page of all webhook events with the fields of their bodies. */
export function eventsPage(): Page {
  const [first] = Object.values(events);
  const description =
    "cardbridge sends these events to your webhook endpoints as POST requests with a JSON body.";
  const blocks = [
    `${description} ${linkTo("platforms/webhooks", "Webhooks")} explains how to verify and process them.`,
    tableOf(
      ["Event", "Sent when"],
      Object.entries(events).map(([type, { post }]) => [
        `[${code(type)}](#${type.replaceAll(".", "")})`,
        post.summary,
      ]),
    ),
    ...Object.entries(events).flatMap(([type, { post }]) => {
      const [content] = Object.values(post.requestBody?.content ?? {});
      return [
        `## ${type}`,
        `${post.summary}.`,
        `\`\`\`json\n${JSON.stringify(exampleOf(content?.examples), null, 2)}\n\`\`\``,
        content ? responseTable(content.schema) : "",
      ];
    }),
    "## Request headers",
    parametersTable((first?.post.parameters ?? []).map(parameterOf)),
    "## Your response",
    "Respond within 15 seconds, and do the work afterwards.",
    tableOf(
      ["Status", "Effect"],
      Object.entries(first?.post.responses ?? {}).map(([status, response]) => [
        status === "default" ? "any other" : status,
        response.description,
      ]),
    ),
  ];
  return {
    slug: "reference/events",
    title: "Webhook events",
    description,
    markdown: `${blocks.join("\n\n")}\n`,
  };
}
