import { Command, CommanderError } from "commander";
import { addAudit } from "./cli/audit/group.ts";
import { type CommandContext, withCommandContext } from "./cli/command-context.ts";
import { describeError, isUsageError } from "./cli/describe-error.ts";
import { addEncryptionKeys } from "./cli/encryption-keys/group.ts";
import { addKeys } from "./cli/keys/group.ts";
import { byOption, operatorOf } from "./cli/operator.ts";
import { addPlatforms } from "./cli/platforms/group.ts";
import { addRecords } from "./cli/records/group.ts";
import { createSession } from "./cli/session.ts";
import { addUsers } from "./cli/users/group.ts";
import { addWebhooks } from "./cli/webhooks/group.ts";
import { version } from "./process/version.ts";

/**
 * Runs one command of the operators' command line. It reads the same environment as the service, and runs the same
 * operations.
 *
 * @param args the arguments after the program's name
 * @returns the exit code: 0 for success; 1 for failure, with the reason on standard error; 2 for wrong usage
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  try {
    await withCommandContext(context, () => createProgram(context).parseAsync(args, { from: "user" }));
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.stderr.write(`${describeError(error)}\n`);
    return isUsageError(error) ? 2 : 1;
  }
}

function createProgram({ stdout, stderr }: CommandContext): Command {
  const program = new Command("cardbridge")
    .description("Operates cardbridge: works on the database and the provider that the environment names.")
    .version(version)
    .showHelpAfterError("(--help explains the usage)")
    .addOption(byOption())
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .exitOverride();
  const session = createSession(() => operatorOf(program));
  for (const add of [addRecords, addPlatforms, addKeys, addUsers, addWebhooks, addEncryptionKeys, addAudit])
    add(program, session);
  return program;
}
