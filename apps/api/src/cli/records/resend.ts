import type { RecordAttempt } from "@cardbridge/domain";
import type { Command } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { attemptReport } from "./attempt.ts";
import { describeReply } from "./provider-reply.ts";

export function addResend(group: Command, session: Session): void {
  const command = group
    .command("resend <id>")
    .summary("ask, and send again what the provider does not know")
    .description(
      "Asks the provider as `ask` does. Only if the provider does not know the record, the service sends " +
        "the stored submission again under its reference.",
    );
  reportAction(command, async (kycRecordId: string) =>
    resendReport(await session((run) => run(operations.records.resend, { kycRecordId }), ["provider"])),
  );
}

export function resendReport(attempt: RecordAttempt): Report {
  const sent = attempt.sent ? `It was sent again. ${describeReply(attempt.sent)}` : "Nothing was sent.";
  return attemptReport(attempt, `${describeReply(attempt.asked)} ${sent}`);
}
