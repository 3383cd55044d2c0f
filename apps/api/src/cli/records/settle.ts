import { type KycReasonCode, knownSubStatuses, kycReasonCodes, type SettledRecord } from "@cardbridge/domain";
import { type Command, Option } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { changeDocument } from "./change.ts";
import { formatChange } from "./format.ts";

interface Options {
  status?: (typeof knownSubStatuses)[number];
  account?: string;
  refused?: boolean;
  reason?: KycReasonCode[];
  final?: boolean;
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
    .addOption(new Option("--account <id>", "the card account that the provider opened").conflicts("refused"))
    .addOption(
      new Option("--reason <codes...>", "why the provider refused or rejected it").choices(kycReasonCodes),
    )
    .option("--final", "another submission of the user is pointless");
  reportAction(command, async (kycRecordId: string, options: Options) => {
    const { status, account, refused } = options;
    if (refused !== true && status === undefined) {
      return command.error("error: give --refused or --status <status>");
    }
    const decision =
      status === undefined
        ? ({ outcome: "refused", ...why(options) } as const)
        : ({
            outcome: "answered",
            subStatus: status,
            cardAccountId: account ?? null,
            ...why(options),
          } as const);
    return settleReport(await session((run) => run(operations.records.settle, { kycRecordId, decision })));
  });
}

/** The reasons as the operation takes them; nothing without an option. */
function why({ reason = [], final = false }: Options) {
  if (reason.length === 0 && !final) return {};
  return { explanation: { reasons: reason.map((code) => ({ code })), final } };
}

function settleReport({ before, after }: SettledRecord): Report {
  return { document: changeDocument(before, after), text: formatChange(before, after) };
}
