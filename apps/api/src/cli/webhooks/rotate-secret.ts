import type { Command } from "commander";
import { overlapOption } from "../overlap-option.ts";
import { reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { type Owner, platformOption } from "./options.ts";

export function addRotateSecret(group: Command, session: Session): void {
  const command = group
    .command("rotate-secret <id>")
    .description(
      "replace an endpoint's secret, and print only the new one on standard output; both sign for a while",
    )
    .addOption(platformOption())
    .addOption(overlapOption("how long the previous secret signs as well: 0 to 720"));
  reportAction(command, async (endpointId: string, { platform, overlap }: Owner & { overlap: number }) => {
    const input = { endpointId, overlapHours: overlap };
    const rotated = await session(
      (run, { webhooks }) => run(webhooks.rotateSecret, input, platform),
      ["keys"],
    );
    const until = rotated.previousSecretUntil;
    const previous = until === null ? "no longer signs" : `signs as well until ${until}`;
    const note = `This is the new secret of ${endpointId}. It is not shown again. The previous one ${previous}.`;
    return { document: rotated, text: rotated.secret, note };
  });
}
