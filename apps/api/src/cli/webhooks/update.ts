import type { SubscribedEventType } from "@cardbridge/domain";
import type { Command } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { formatEndpoint } from "./format.ts";
import { eventsOption, type Owner, platformOption } from "./options.ts";

interface Options extends Owner {
  url?: string;
  events?: SubscribedEventType[];
  description?: string;
}

export function addUpdate(group: Command, session: Session): void {
  const command = group
    .command("update <id>")
    .description("change an endpoint's URL, its types of events, or its description")
    .addOption(platformOption())
    .option("--url <url>", "where the endpoint listens now")
    .addOption(eventsOption())
    .option("--description <text>", "a note for people; an empty one removes it");
  reportAction(command, async (endpointId: string, options: Options) => {
    const { platform, url, events: eventTypes, description } = options;
    const input = { endpointId, url, eventTypes, description: description === "" ? null : description };
    const updated = await session((run, { webhooks }) => run(webhooks.update, input, platform), ["keys"]);
    return { document: updated, text: formatEndpoint(updated, new Date()) };
  });
}
