import { type Command, Option } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { dueReport } from "./format.ts";
import { type Owner, platformOption } from "./options.ts";

export function addRedeliver(group: Command, session: Session): void {
  const command = group
    .command("redeliver <id> [delivery]")
    .summary("send one delivery again, or all that failed since a time")
    .description(
      "Sends one delivery again, or with --since all failed deliveries of events since then, with the same ids.",
    )
    .addOption(platformOption())
    .addOption(new Option("--since <time>", "a time such as 2027-01-31T12:00:00Z"));
  reportAction(
    command,
    async (
      endpointId: string,
      deliveryId: string | undefined,
      { platform, since }: Owner & { since?: string },
    ) => {
      if ((deliveryId === undefined) === (since === undefined))
        return command.error("error: give a delivery or --since <time>");
      return session(async (run, { webhooks }) => {
        if (deliveryId !== undefined) {
          return dueReport(await run(webhooks.redeliver, { endpointId, deliveryId }, platform));
        }
        const result = await run(webhooks.redeliverFailed, { endpointId, since: since ?? "" }, platform);
        const more = result.more ? " There are more: repeat the command." : "";
        return { document: result, text: `Deliveries that are due now: ${result.redelivered}.${more}` };
      });
    },
  );
}
