import { defaultPolicies } from "@cardbridge/domain";
import { version } from "@cardbridge/node";
import { createOperations, listOperations } from "@cardbridge/service";
import { Command, CommanderError } from "commander";
import { isWellFormed } from "../admission/api-key.ts";
import { check } from "../boot/check.ts";
import { addCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { CommandError, toCommandError } from "./errors.ts";
import { kebabCase } from "./fields.ts";
import { byOption } from "./operator.ts";

/**
 * Runs one command of the operators' command line. It reads the same environment as the service, and runs the same
 * operations.
 *
 * @param args the arguments after the program's name
 * @returns the exit code: 0 for success; 1 for failure, with the reason on standard error; 2 for wrong usage
 */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  try {
    if (args.some(isApiKey)) throw new CommandError(leakedKey);
    await createProgram(context).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { message, exitCode } = toCommandError(error);
    context.stderr.write(`${message}\n`);
    return exitCode;
  }
}

/** `cardbridge NOUN VERB`: a command for each operation that operators may run. */
function createProgram(context: CommandContext): Command {
  const { stdout, stderr } = context;
  const program = new Command("cardbridge")
    .description("Operates cardbridge. The environment names the database and the provider.")
    .version(version)
    .showHelpAfterError("(--help explains the usage)")
    .addOption(byOption)
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(withoutValues(text)),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
    })
    .exitOverride();
  program
    .command("check")
    .description("Checks whether a service would work with this environment, and what production lacks.")
    .action(async () => {
      const starts = await check((line) => stdout.write(`${line}\n`), context.env);
      if (!starts) throw new CommandError("Correct the errors, and check again.");
    });
  const operations = listOperations(createOperations(defaultPolicies));
  const allowed = operations.filter(({ actors }) => actors.includes("operator"));
  for (const [noun = "", verbs] of Map.groupBy(allowed, ({ id }) => id.split(".")[0])) {
    const group = program.command(kebabCase(noun));
    for (const operation of verbs) addCommand(group, operation, context);
    group.description(group.commands.map((command) => command.name()).join(", "));
  }
  return program;
}

/** Other users of the machine see arguments, and the shell stores them. */
const leakedKey = "This is an API key: treat it as leaked. Give the id of the key, which the list shows.";
const isApiKey = (argument: string) => isWellFormed(argument.replace(/^--[\w-]+=/, ""));

/** Commander's messages that quote unexpected arguments, which may be personal data. */
const quoting = {
  option: "error: unknown option '",
  command: "error: unknown command '",
  arguments: " but got ",
};

function withoutValues(error: string): string {
  const quote = error.lastIndexOf("'");
  if (error.startsWith(quoting.option)) return without(error, error.indexOf("="), quote);
  if (error.startsWith(quoting.command)) {
    const name = error.slice(quoting.command.length, quote);
    return /^[\w-]+$/.test(name) ? error : `${quoting.command}…${error.slice(quote)}`;
  }
  const count = error.indexOf(quoting.arguments);
  return count === -1 ? error : without(error, error.indexOf(": ", count), error.lastIndexOf("."));
}

function without(text: string, start: number, end: number): string {
  return start === -1 ? text : text.slice(0, start) + text.slice(end);
}
