import { Command, CommanderError } from "commander";
import { addAudit } from "./cli/audit/group.ts";
import { describeError, isUsageError } from "./cli/describe-error.ts";
import { addEncryptionKeys } from "./cli/encryption-keys/group.ts";
import { addKeys } from "./cli/keys/group.ts";
import { byOption, operatorOf } from "./cli/operator.ts";
import { exitOnOutputError } from "./cli/output-errors.ts";
import { addPlatforms } from "./cli/platforms/group.ts";
import { addRecords } from "./cli/records/group.ts";
import { createSession } from "./cli/session.ts";
import { addUsers } from "./cli/users/group.ts";
import { addWebhooks } from "./cli/webhooks/group.ts";
import { version } from "./process/version.ts";

/*
 * The operators' command line. It reads the same environment as the service, and runs the same operations.
 * Exit codes: 0 for success; 1 for failure, with the reason on standard error; 2 for wrong usage.
 */

const program = new Command("cardbridge")
  .description("Operates cardbridge: works on the database and the provider that the environment names.")
  .version(version)
  .showHelpAfterError("(--help explains the usage)")
  .addOption(byOption())
  .exitOverride();
const session = createSession(() => operatorOf(program));
addRecords(program, session);
addPlatforms(program, session);
addKeys(program, session);
addUsers(program, session);
addWebhooks(program, session);
addEncryptionKeys(program, session);
addAudit(program, session);

exitOnOutputError();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = isUsageError(error) ? 2 : 1;
  }
}
