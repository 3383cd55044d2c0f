import { existsSync } from "node:fs";
import { bootstrap, install, pnpm } from "./bootstrap.mjs";
import { startTestRun } from "./test-run.mjs";

/*
 * npm test, npm run test:deep, npm run test:nightly: installs what the tier needs, and runs it with turbo. The first
 * argument names the tier, the others are for turbo in the first tier (--force) and names of files or folders in the
 * others: `npm run test:deep -- faults sockets`. The processes of the run end with this process, even after SIGKILL.
 */
const [tier = "fast", ...rest] = process.argv.slice(2);
// The size of the nightly test of all faults: `npm run test:nightly -- faults --submissions 100000`.
const size = rest.indexOf("--submissions");
if (size >= 0) [, process.env.FAULTS_SUBMISSIONS] = rest.splice(size, 2);
const node = bootstrap();
if (node !== process.versions.node) {
  process.stdout.write(`Node ${node} runs the tests; this machine's own is ${process.versions.node}.\n`);
}
if (tier === "nightly")
  install({ folder: "packages/client/runtimes", what: "Bun, Deno and workerd, for this tier only," });
// The presence of a browser is part of turbo's cache key.
process.env.CHROMIUM_PATH ??= existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : "";
const { end } = startTestRun();
process.on("exit", end);
const names = rest.length > 0 ? ["--", ...rest] : [];
const [tasks, own] = tier === "fast" ? [["lint", "types", "test", ...rest], []] : [[`test:${tier}`], names];
pnpm(["exec", "turbo", "run", ...tasks, "--ui=stream", "--continue", ...own]);
