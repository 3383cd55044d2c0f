import { existsSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./bootstrap.mjs";
import { isNewer } from "./build.mjs";
import { buildApp, endBuildWithParent } from "./build-app.mjs";

/*
 * Builds the console if its sources changed, and runs it in this process. npm start runs it as a child of the service:
 * it then ends with the service, and leaves it to the service to report a failure.
 */
const { values } = parseArgs({
  options: { port: { type: "string" }, "service-url": { type: "string" }, key: { type: "string" } },
});
const folder = join(root, "apps", "console");
const program = join(folder, "dist", "server", "main.js");
const sources = ["build.mjs", "package.json", "vite.config.ts", "src"].map((name) => join(folder, name));
const isChild = process.connected === true;

/** Whether the console's program listens to signals itself. */
let running = false;
endBuildWithParent(() => running);
if (isStale()) {
  const begun = new Date();
  if (!isChild) process.stdout.write("Building the console…\n");
  // turbo builds only the console: its pages need no code of other packages, only their types.
  if ((await buildApp("console", { quiet: isChild, options: ["--only"] })) !== 0) process.exit(1);
  utimesSync(program, begun, begun);
}

// An empty variable counts as absent.
process.env.CONSOLE_PORT = values.port ?? process.env.CONSOLE_PORT ?? "";
process.env.CARDBRIDGE_URL = values["service-url"] ?? process.env.CARDBRIDGE_URL ?? "";
process.env.CARDBRIDGE_KEY = values.key ?? process.env.CARDBRIDGE_KEY ?? "";
// The program refuses arguments of its own.
process.argv.splice(2);
await import(program);
running = true;

function isStale() {
  const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const shared = ["package.json", "pnpm-lock.yaml"].map((name) => join(root, name));
  return [...shared, ...sources].some((path) => existsSync(path) && isNewer(path, built));
}
