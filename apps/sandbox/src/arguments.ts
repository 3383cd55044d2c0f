import { parseArgs } from "node:util";
import manifest from "../../../package.json" with { type: "json" };

const help = `Usage: main.js [--help] [--version]

Runs a card provider for development. The environment configures it: SANDBOX_PORT, SANDBOX_HOST, SANDBOX_DATA_DIR
and the other variables in the README.
`;

/** Handles `--help` and `--version`, which exit with code 0. Any other argument exits with code 2. */
export function handleArguments(): void {
  try {
    const options = {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "V" },
    } as const;
    const { values } = parseArgs({ options });
    if (!values.help && !values.version) return;
    process.stdout.write(values.help ? help : `${manifest.version}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
}
