import { handleArguments } from "./arguments.ts";
import { readEnv } from "./env.ts";
import { log } from "./log.ts";
import { startSandbox } from "./start.ts";

handleArguments();

const hasParent = process.send !== undefined;
const starting = Promise.resolve().then(() => startSandbox(readEnv()));

async function shutDown(): Promise<void> {
  const sandbox = await starting;
  await sandbox.close();
  process.exit(0);
}

function fail(error: unknown): void {
  log({ level: "error", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}

process.on("SIGTERM", () => shutDown().catch(fail));
// Ctrl-C and a closed terminal signal the whole process group. A sandbox with a parent lets the parent end it.
for (const signal of ["SIGINT", "SIGHUP"]) {
  process.on(signal, () => (hasParent ? undefined : shutDown().catch(fail)));
}
process.on("disconnect", () => shutDown().catch(fail));
// The parent may have died before the listeners were registered.
if (hasParent && !process.connected) shutDown().catch(fail);

starting.then(({ url }) => {
  const announcement = { listening: url };
  if (!hasParent) process.stdout.write(`${JSON.stringify(announcement)}\n`);
  else if (process.connected) process.send?.(announcement, undefined, undefined, () => {});
}, fail);
