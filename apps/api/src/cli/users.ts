import { type Command, Option } from "commander";
import type { z } from "zod";
import { administer, users } from "./administer.ts";
import { withKeys } from "./connect.ts";
import { personOf } from "./person.ts";
import { progressLine } from "./progress.ts";
import { reports } from "./report.ts";
import { eraseReport } from "./users/erase.ts";
import { type Imported, importFile } from "./users/import.ts";
import { importReport } from "./users/import-report.ts";
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
    async (externalUserId: string | undefined, { platform: platformId, memberId, email }: NamesOptions) => {
      // Whether it is one name the operation judges, and says so.
      const names = { platformId, externalUserId, memberId, email } as z.input<typeof users.show.input>;
      return showReport(await administer(by(), users.show, names));
    },
  );

  reports(
    group
      .command("import <file>")
      .summary("import cardholders from a CSV file")
      .description(
        "Imports users from CSV in UTF-8, from a file or, as -, from standard input. The first line names the columns: " +
          "memberId, email and, where the provider knows the users already, externalUserId. A line that breaks a " +
          "rule is refused and told by its number; the others are imported. The same file may be given again.",
      )
      .addOption(platformOption()),
    async (file: string, { platform: platformId }: { platform: string }) => {
      const { onProgress, end } = progressLine<Imported>(({ lines }) => `${lines} lines read`);
      const order = { file, platformId, by: by(), onProgress };
      return importReport(await withKeys((database, keys) => importFile(database, keys, order)).finally(end));
    },
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
