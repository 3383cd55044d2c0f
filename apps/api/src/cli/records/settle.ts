import { knownSubStatuses, type SettledRecord } from "@cardbridge/domain";
import { type Command, Option } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { changeDocument } from "./change.ts";
import { formatChange } from "./format.ts";

interface Options {
  status?: (typeof knownSubStatuses)[number];
  account?: string;
  refused?: boolean;
}

export function addSettle(group: Command, session: Session): void {
  const command = group
    .command("settle <id>")
    .summary("settle a record by a decision of the provider")
    .description(
      "Settles an unsettled record by a decision that the provider told you, for example by telephone. A later " +
        "decision over the provider's API replaces it.",
    )
    .addOption(new Option("--refused", "the provider refused the submission").conflicts("status"))
    .addOption(new Option("--status <status>", "the provider's status").choices(knownSubStatuses))
    .addOption(
      new Option("--account <id>", "the card account that the provider opened").conflicts("refused"),
    );
  reportAction(command, async (kycRecordId: string, { status, account, refused }: Options) => {
    if (refused !== true && status === undefined) {
      return command.error("error: give --refused or --status <status>");
    }
    const decision =
      status === undefined
        ? ({ outcome: "refused" } as const)
        : ({ outcome: "answered", subStatus: status, cardAccountId: account ?? null } as const);
    return settleReport(await session((run) => run(operations.records.settle, { kycRecordId, decision })));
  });
}

function settleReport({ before, after }: SettledRecord): Report {
  return { document: changeDocument(before, after), text: formatChange(before, after) };
}
