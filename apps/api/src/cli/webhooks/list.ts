import type { WebhookEndpoint } from "@cardbridge/domain";
import type { Command } from "commander";
import { lineWidth, type Report, reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { formatTable } from "../table.ts";
import { formatState } from "./format.ts";
import { type Owner, platformOption } from "./options.ts";

export function addList(group: Command, session: Session): void {
  const command = group
    .command("list")
    .description("list the endpoints of a platform, oldest first")
    .addOption(platformOption());
  reportAction(command, async ({ platform }: Owner) => {
    const list = await session((run, { webhooks }) => run(webhooks.list, {}, platform), ["keys"]);
    return listReport(list, platform, new Date());
  });
}

/** The endpoints, one a line. */
function listReport(document: { endpoints: WebhookEndpoint[] }, platform: string, now: Date): Report {
  const { endpoints } = document;
  if (endpoints.length === 0) return { document, text: `There is no endpoint of ${platform}.` };
  const text = formatTable(
    endpoints,
    [
      { title: "ENDPOINT", value: ({ endpointId }) => endpointId },
      { title: "STATE", value: (endpoint) => formatState(endpoint, now) },
      { title: "EVENTS", value: ({ eventTypes }) => eventTypes.join(",") },
      { title: "URL", value: ({ url }) => url },
      { title: "ABOUT", value: ({ description }) => description ?? "", optional: true },
    ],
    lineWidth(),
  );
  return { document, text };
}
