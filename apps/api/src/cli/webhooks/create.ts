import type { SubscribedEventType } from "@cardbridge/domain";
import type { Command } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { eventsOption, type Owner, platformOption } from "./options.ts";

interface Options extends Owner {
  url: string;
  events: SubscribedEventType[];
  description?: string;
}

export function addCreate(group: Command, session: Session): void {
  const command = group
    .command("create")
    .description("create an endpoint, and print only its secret on standard output")
    .addOption(platformOption())
    .requiredOption("--url <url>", "where the endpoint listens")
    .addOption(eventsOption().makeOptionMandatory())
    .option("--description <text>", "a note for people");
  reportAction(command, async ({ platform, url, events: eventTypes, description }: Options) => {
    const input = { url, eventTypes, description };
    const created = await session((run, { webhooks }) => run(webhooks.create, input, platform), ["keys"]);
    // The secret is the only text on standard output, so that a pipe can take it.
    const note = `This is the secret of ${created.endpointId}. It is not shown again.`;
    return { document: created, text: created.secret, note };
  });
}
