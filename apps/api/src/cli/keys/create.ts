import { type CreatedKey, platformScope, type Scope } from "@cardbridge/domain";
import { type Command, Option } from "commander";
import { type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import type { Expiry } from "./expiry.ts";
import { describeCreated } from "./format.ts";
import { expiresOption, internalOption, type Owner, platformIdOf, platformOption } from "./options.ts";

interface Options extends Owner {
  name: string;
  scopes: string;
  expires?: Expiry;
  live?: boolean;
  test?: boolean;
}

export function addCreate(group: Command, session: Session): void {
  const command = group
    .command("create")
    .description("create a key, and print only the key on standard output")
    .addOption(platformOption())
    .addOption(internalOption())
    .requiredOption("--name <name>", "what the key is for")
    .requiredOption(
      "--scopes <list>",
      `separated by commas: ${platformScope.options.join(", ")}; admin for internal apps`,
    )
    .addOption(expiresOption())
    .addOption(new Option("--live", "a key that begins with cb_live_ (default)").conflicts("test"))
    .option("--test", "a key that begins with cb_test_");
  reportAction(command, async ({ name, scopes, expires, live, test, ...owner }: Options) => {
    const platformId = platformIdOf(owner);
    if (platformId === undefined) return command.error("error: give --platform <id> or --internal");
    const input = {
      platformId,
      name,
      // The operation refuses unknown scopes.
      scopes: scopes.split(",").map((scope) => scope.trim()) as Scope[],
      mode: live ? ("live" as const) : test ? ("test" as const) : undefined,
      expiresAt: expires?.at,
    };
    return createReport(await session((run) => run(operations.keys.create, input)));
  });
}

/** The key is the only text on standard output, so that a pipe can take it. */
function createReport(created: CreatedKey): Report {
  return { document: created, text: created.key, note: describeCreated(created) };
}
