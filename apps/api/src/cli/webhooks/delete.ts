import type { Command } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { type Owner, platformOption } from "./options.ts";

export function addDelete(group: Command, session: Session): void {
  const command = group
    .command("delete <id>")
    .description("delete an endpoint with its deliveries")
    .addOption(platformOption());
  reportAction(command, async (endpointId: string, { platform }: Owner) => {
    const deleted = await session((run, { webhooks }) => run(webhooks.delete, { endpointId }, platform));
    return { document: deleted, text: `${endpointId} is deleted.` };
  });
}
