import { type Command, Option } from "commander";
import { administer, users } from "./administer.ts";
import { personOf } from "./person.ts";
import { reports } from "./report.ts";
import { eraseReport } from "./users/erase.ts";
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
    async (externalUserId: string | undefined, { platform: platformId, memberId, email }: ShowOptions) =>
      showReport(await administer(by(), users.show, { platformId, externalUserId, memberId, email })),
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

interface ShowOptions {
  platform: string;
  memberId?: string;
  email?: string;
}
