import { parseArgs } from "node:util";
import { version } from "@cardbridge/node";

const help = `Usage: main.js [options]

Runs the cardbridge console. The environment configures it: docs/operate/console.md.

Options:
  --version  print the version
  --help     print this text
`;

/** What the program prints, and the code with which it ends. */
export interface Ending {
  output: string;
  code: 0 | 2;
}

/** Accepts only `--help` and `--version`. Returns undefined without arguments: the program then runs. */
export function endingOf(args: readonly string[]): Ending | undefined {
  if (args.length === 0) return undefined;
  try {
    const options = { help: { type: "boolean" }, version: { type: "boolean" } } as const;
    const { values } = parseArgs({ args: [...args], options });
    return { output: values.version ? `${version}\n` : help, code: 0 };
  } catch {
    return { output: `error: unknown argument. The environment configures the console.\n\n${help}`, code: 2 };
  }
}
