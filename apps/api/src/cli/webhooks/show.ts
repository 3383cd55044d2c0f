import type { Command } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { formatEndpoint } from "./format.ts";
import { type Owner, platformOption } from "./options.ts";

export function addShow(group: Command, session: Session): void {
  const command = group
    .command("show <id>")
    .description("show an endpoint: whether it is enabled, and since when it fails")
    .addOption(platformOption());
  reportAction(command, async (endpointId: string, { platform }: Owner) => {
    const endpoint = await session(
      (run, { webhooks }) => run(webhooks.get, { endpointId }, platform),
      ["keys"],
    );
    return { document: endpoint, text: formatEndpoint(endpoint, new Date()) };
  });
}
