import { refuseArguments } from "./arguments.ts";
import { readEnv } from "./env.ts";
import { log } from "./output.ts";
import { startSandbox } from "./start.ts";

refuseArguments();

const hasParent = process.send !== undefined;
const starting = Promise.resolve().then(() => startSandbox(readEnv()));

async function end(): Promise<void> {
  const sandbox = await starting;
  await sandbox.close();
  process.exit(0);
}

function fail(error: unknown): void {
  log({ level: "error", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}

process.on("SIGTERM", () => end().catch(fail));
// Ctrl-C and a closed terminal reach the whole group; a sandbox with a parent leaves its end to the parent.
for (const signal of ["SIGINT", "SIGHUP"]) {
  process.on(signal, () => (hasParent ? undefined : end().catch(fail)));
}
process.on("disconnect", () => end().catch(fail));
// The parent may have died before we listened.
if (hasParent && !process.connected) end().catch(fail);

starting.then(({ url }) => {
  const announcement = { listening: url };
  if (!hasParent) process.stdout.write(`${JSON.stringify(announcement)}\n`);
  else if (process.connected) process.send?.(announcement, undefined, undefined, () => {});
}, fail);
