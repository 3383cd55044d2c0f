import type { UserFacts } from "@cardbridge/domain";
import type { Command } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { platformOption } from "./options.ts";

export function addErase(group: Command, session: Session): void {
  const command = group
    .command("erase <externalUserId>")
    .summary("request the irreversible erasure of a user")
    .description(
      "Requests the irreversible erasure of a user's personal data. A worker erases the user after all their " +
        "records are settled.",
    )
    .addOption(platformOption());
  reportAction(command, async (externalUserId: string, { platform: platformId }: { platform: string }) =>
    eraseReport(await session((run) => run(operations.users.erase, { platformId, externalUserId }))),
  );
}

/** Reports the requested erasure, and the unsettled records that it waits for. */
function eraseReport(user: UserFacts): Report {
  const unsettled = user.records.filter(({ settlement }) => settlement === "unsettled");
  const when =
    unsettled.length === 0
      ? "within a minute or two"
      : `once these records are settled: ${unsettled.map(({ kycRecordId }) => kycRecordId).join(", ")}`;
  return {
    document: user,
    text: `The erasure of ${user.externalUserId} is requested. A worker erases the user ${when}.`,
  };
}
