import { readArguments } from "./arguments.ts";
import { log } from "./log.ts";
import { startFake } from "./start.ts";

const options = readArguments();
const hasParent = process.send !== undefined;
const starting = startFake(options);

async function shutDown(): Promise<void> {
  const fake = await starting;
  await fake.close();
  process.exit(0);
}

function fail(error: unknown): void {
  log({ level: "error", message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}

process.on("SIGTERM", () => shutDown().catch(fail));
// Ctrl-C signals the whole process group. A fake with a parent lets the parent end it.
process.on("SIGINT", () => (hasParent ? undefined : shutDown().catch(fail)));
process.on("disconnect", () => shutDown().catch(fail));
// The parent may have died before the listener was registered.
if (hasParent && !process.connected) shutDown().catch(fail);

starting.then(({ url, filesUrl }) => {
  const announcement = { listening: url, files: filesUrl };
  if (!hasParent) process.stdout.write(`${JSON.stringify(announcement)}\n`);
  else if (process.connected) process.send?.(announcement, undefined, undefined, () => {});
}, fail);
