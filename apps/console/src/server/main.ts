import { fileURLToPath } from "node:url";
import { ConfigurationError } from "@cardbridge/node";
import { endingOf } from "./arguments.ts";
import { readEnv } from "./config/env.ts";
import { runConsole } from "./run.ts";

/* Runs the console's server. The environment configures it: docs/operate/console.md. */
const ending = endingOf(process.argv.slice(2));
if (ending) {
  (ending.code === 0 ? process.stdout : process.stderr).write(ending.output);
  process.exit(ending.code);
}
try {
  const running = await runConsole(readEnv(), {
    webFolder: fileURLToPath(new URL("../web/", import.meta.url)),
    writeLog: (line) => void process.stderr.write(line),
  });
  process.stdout.write(`The console is ready: ${running.url}\n`);
  let stopping = false;
  const stop = () => {
    // A second signal ends calls immediately.
    if (stopping) process.exit(0);
    stopping = true;
    void running.close().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // A parent that started this process with a channel has ended, even by SIGKILL.
  process.on("disconnect", stop);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** The message of an expected error; for others the code alone, because a message could have a secret. */
function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "The console's port is in use by another process. Set CONSOLE_PORT.";
  if (code === "ERR_MODULE_NOT_FOUND") return "The development issuer is not installed: set OIDC_ISSUER.";
  return `The console cannot start (${String(code ?? (error instanceof Error ? error.message : "unknown"))}).`;
}
