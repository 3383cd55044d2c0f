import { install, pnpm } from "./bootstrap.mjs";

/* npm test: install, then everything through turbo; extra arguments go to turbo, such as --force. */
install();
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
