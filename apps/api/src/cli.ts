import { runCommandLine } from "./cli/command-line.ts";
import { exitOnOutputError } from "./cli/output-errors.ts";

exitOnOutputError();
process.exitCode = await runCommandLine(process.argv.slice(2), process);
