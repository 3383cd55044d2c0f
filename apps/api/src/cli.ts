import { Command, CommanderError } from "commander";
import { addAudit } from "./cli/audit.ts";
import { inWords, isWrongUsage } from "./cli/in-words.ts";
import { addKeyring } from "./cli/keyring.ts";
import { addKeys } from "./cli/keys.ts";
import { byOption } from "./cli/person.ts";
import { addPlatforms } from "./cli/platforms.ts";
import { addRecords } from "./cli/records.ts";
import { addUsers } from "./cli/users.ts";
import { watchOutput } from "./cli/watch-output.ts";
import { version } from "./process/version.ts";

/*
 * The command line: what people do who look after the service. It is configured as the service is.
 * Exit codes: 0 done; 1 could not be done, and why is on standard error; 2 wrong usage.
 */

const program = new Command("cardbridge")
  .description(
    "Looks after cardbridge: works on the database and the provider of the environment that it runs in.",
  )
  .version(version)
  .showHelpAfterError("(--help tells more)")
  .addOption(byOption())
  .exitOverride();
addRecords(program);
addPlatforms(program);
addKeys(program);
addUsers(program);
addKeyring(program);
addAudit(program);

watchOutput();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${inWords(error)}\n`);
    process.exitCode = isWrongUsage(error) ? 2 : 1;
  }
}
