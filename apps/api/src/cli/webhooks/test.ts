import type { Command } from "commander";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { dueReport } from "./format.ts";
import { type Owner, platformOption } from "./options.ts";

export function addTest(group: Command, session: Session): void {
  const command = group
    .command("test <id>")
    .description("send a test event to an endpoint; `deliveries` shows what it answers")
    .addOption(platformOption());
  reportAction(command, async (endpointId: string, { platform }: Owner) =>
    dueReport(await session((run, { webhooks }) => run(webhooks.test, { endpointId }, platform))),
  );
}
