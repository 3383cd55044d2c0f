import { existsSync } from "node:fs";
import { bootstrap, pnpm } from "./bootstrap.mjs";

/* npm test: install, then everything through turbo; extra arguments go to turbo, such as --force. */
const node = bootstrap();
if (node !== process.versions.node) {
  process.stdout.write(`Node ${node} runs the tests; this machine's own is ${process.versions.node}.\n`);
}

// Whether there is a browser is part of what turbo keys its cache on.
process.env.CHROMIUM_PATH ??= existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : "";
if (process.env.CHROMIUM_PATH === "") {
  process.stdout.write(
    "Browser tests will not run: no chromium at /usr/bin/chromium, and no CHROMIUM_PATH.\n",
  );
}
pnpm([
  "exec",
  "turbo",
  "run",
  "lint",
  "types",
  "test",
  "--ui=stream",
  "--continue",
  ...process.argv.slice(2),
]);
