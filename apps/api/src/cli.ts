import { exitOnOutputError } from "./cli/output-errors.ts";
import { runCommandLine } from "./command-line.ts";

exitOnOutputError();
process.exitCode = await runCommandLine(process.argv.slice(2), process);
