import { Command } from "commander";
import { version } from "./version.ts";

/**
 * Accepts only `--help` and `--version`: the environment configures the program. Other arguments end it with code 2.
 */
export function refuseArguments(program: string, description: string): void {
  new Command(program)
    .description(description)
    .version(version)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
}
