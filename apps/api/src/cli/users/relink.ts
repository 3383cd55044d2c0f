import type { NewNames, UserFacts } from "@cardbridge/domain";
import type { Command } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { type NameOptions, platformOption } from "./options.ts";

export function addRelink(group: Command, session: Session): void {
  const command = group
    .command("relink <externalUserId>")
    .summary("correct a user's e-mail or member id")
    .description(
      "Replaces a user's e-mail, member id, or both. The user's id, cards and submitted records stay unchanged. The " +
        "service refuses an identifier of another user.",
    )
    .addOption(platformOption())
    .option("--member-id <id>", "the correct member id")
    .option("--email <address>", "the correct e-mail");
  reportAction(
    command,
    async (externalUserId: string, { platform: platformId, memberId, email }: NameOptions) => {
      const names = { memberId, email };
      const input = { platformId, externalUserId, ...names };
      return relinkReport(await session((run) => run(operations.users.relink, input)), names);
    },
  );
}

/** Names the fields that changed, and does not repeat their values. */
function relinkReport(user: UserFacts, names: NewNames): Report {
  const fields = [
    ...(names.memberId === undefined ? [] : ["member id"]),
    ...(names.email === undefined ? [] : ["e-mail"]),
  ];
  return { document: user, text: `Replaced the ${fields.join(" and the ")} of ${user.externalUserId}.` };
}
