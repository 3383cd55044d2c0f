import type { RecordAttempt } from "@cardbridge/domain";
import type { Command } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { attemptReport } from "./attempt.ts";
import { describeReply } from "./provider-reply.ts";

export function addAsk(group: Command, session: Session): void {
  const command = group
    .command("ask <id>")
    .summary("ask the provider for the outcome of a record")
    .description("Asks the provider for the outcome of a record and stores the answer. It sends nothing.");
  reportAction(command, async (kycRecordId: string) =>
    askReport(await session((run) => run(operations.records.ask, { kycRecordId }), ["provider"])),
  );
}

export function askReport(attempt: RecordAttempt): Report {
  return attemptReport(attempt, describeReply(attempt.asked));
}
