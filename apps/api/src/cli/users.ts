import { type Command, Option } from "commander";
import { administer, users } from "./administer.ts";
import { personOf } from "./person.ts";
import { reports } from "./report.ts";
import { eraseReport } from "./users/erase.ts";
import { relinkReport } from "./users/relink.ts";
import { showReport } from "./users/show.ts";

const platformOption = () => new Option("--platform <id>", "whose user it is").makeOptionMandatory();

/** `cardbridge users`: the cardholders of a platform, shown by ids and statuses alone. */
export function addUsers(program: Command): void {
  const by = () => personOf(program);
  const group = program.command("users").description("the cardholders of a platform");

  reports(
    group
      .command("show [externalUserId]")
      .summary("show a user's records, and whether they are to be erased")
      .description(
        "Shows a user, named by one of three names: ids and statuses, never an e-mail or a member id.",
      )
      .addOption(platformOption())
      .option("--member-id <id>", "the user with this member id")
      .option("--email <address>", "the user with this e-mail"),
    async (externalUserId: string | undefined, { platform: platformId, memberId, email }: NamesOptions) =>
      showReport(await administer(by(), users.show, { platformId, externalUserId, memberId, email })),
  );

  reports(
    group
      .command("relink <externalUserId>")
      .summary("correct a user's e-mail or member id")
      .description(
        "Gives a user another e-mail, another member id, or both. Id and cards stay, and records stay as they were " +
          "submitted. What is another user's is refused.",
      )
      .addOption(platformOption())
      .option("--member-id <id>", "the right member id")
      .option("--email <address>", "the right e-mail"),
    async (externalUserId: string, { platform: platformId, ...names }: NamesOptions) =>
      relinkReport(await administer(by(), users.relink, { platformId, externalUserId, ...names }), names),
  );

  reports(
    group
      .command("erase <externalUserId>")
      .summary("have a user erased, for good")
      .description(
        "Asks for the erasure of a user's personal data, for good. A worker does it, once none of the user's records " +
          "is unsettled.",
      )
      .addOption(platformOption()),
    async (externalUserId: string, { platform: platformId }: { platform: string }) =>
      eraseReport(await administer(by(), users.erase, { platformId, externalUserId })),
  );
}

interface NamesOptions {
  platform: string;
  memberId?: string;
  email?: string;
}
