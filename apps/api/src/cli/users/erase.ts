import type { UserFacts } from "@cardbridge/domain";
import type { Command } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { platformOption } from "./options.ts";

export function addErase(group: Command, session: Session): void {
  const command = group
    .command("erase <externalUserId>")
    .summary("request the erasure of a user, for good")
    .description(
      "Requests the erasure of a user's personal data, for good. A worker erases the user once none of their " +
        "records is unsettled.",
    )
    .addOption(platformOption());
  reportAction(command, async (externalUserId: string, { platform: platformId }: { platform: string }) =>
    eraseReport(await session((run) => run(operations.users.erase, { platformId, externalUserId }))),
  );
}

/** The erasure is requested; names the records that it waits for. */
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
