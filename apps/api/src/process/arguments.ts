import { Command } from "commander";
import { version } from "./version.ts";

/** Reads the arguments of a program that the environment configures: `--help`, `--version`, and no other. Exit code 2. */
export function refuseArguments(program: string, description: string): void {
  new Command(program)
    .description(description)
    .version(version)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse();
}
