import { version } from "@cardbridge/node";
import { Command, type Option } from "commander";

/**
 * Accepts only `--help`, `--version` and these options: the environment configures the program. Other arguments end it
 * with code 2.
 *
 * @returns the values of the options
 */
export function readArguments(
  program: string,
  description: string,
  options: readonly Option[] = [],
): Record<string, unknown> {
  const command = new Command(program).description(description);
  for (const option of options) command.addOption(option);
  return command
    .version(version)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts();
}
