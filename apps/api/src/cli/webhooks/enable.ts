import type { Command } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { type Owner, platformOption } from "./options.ts";

/** `disable` and `enable`. */
export function addEnable(group: Command, session: Session): void {
  addSwitch(group, session, false, "stop sending events to an endpoint; its pending deliveries fail");
  addSwitch(group, session, true, "send events to an endpoint again; redeliver what failed meanwhile");
}

function addSwitch(group: Command, session: Session, enabled: boolean, description: string): void {
  const command = group
    .command(`${enabled ? "enable" : "disable"} <id>`)
    .description(description)
    .addOption(platformOption());
  reportAction(command, async (endpointId: string, { platform }: Owner) => {
    const input = { endpointId, enabled };
    const updated = await session((run, { webhooks }) => run(webhooks.update, input, platform), ["keys"]);
    const text = `${endpointId} is ${updated.enabled ? "enabled" : "disabled"}.`;
    return { document: updated, text };
  });
}
