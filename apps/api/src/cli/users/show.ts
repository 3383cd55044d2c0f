import type { UserFacts } from "@cardbridge/domain";
import type { Command } from "commander";
import type { z } from "zod";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatTable } from "../table.ts";
import { type NameOptions, platformOption } from "./options.ts";

export function addShow(group: Command, session: Session): void {
  const command = group
    .command("show [externalUserId]")
    .summary("show a user's records, and whether the user is to be erased")
    .description("Shows a user by one of three identifiers: ids and statuses, without personal data.")
    .addOption(platformOption())
    .option("--member-id <id>", "the user with this member id")
    .option("--email <address>", "the user with this e-mail");
  reportAction(
    command,
    async (externalUserId: string | undefined, { platform: platformId, memberId, email }: NameOptions) => {
      // The operation refuses any number of names but one.
      const query = { platformId, externalUserId, memberId, email } as z.input<
        typeof operations.users.show.input
      >;
      return showReport(await session((run) => run(operations.users.show, query)));
    },
  );
}

const erasures = {
  none: "not requested",
  requested: "requested",
  erased: "done: only ids and statuses are left",
};

/** A user and their records, by ids and statuses. */
function showReport(user: UserFacts): Report {
  const facts = {
    user: user.externalUserId,
    platform: user.platformId,
    since: user.createdAt,
    erasure: erasures[user.erasure],
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(10)}${value}`);
  return { document: user, text: [...lines, "", formatRecords(user)].join("\n") };
}

function formatRecords({ records }: UserFacts): string {
  if (records.length === 0) return "There is no record.";
  return formatTable(
    records,
    [
      { title: "RECORD", value: ({ kycRecordId }) => kycRecordId },
      { title: "STATE", value: ({ settlement, status }) => status ?? settlement },
      { title: "SUBMITTED", value: ({ createdAt }) => createdAt },
    ],
    lineWidth(),
  );
}
