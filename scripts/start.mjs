import { bootstrap } from "./bootstrap.mjs";
import { build } from "./build.mjs";

/* The first half of npm start: installs and builds. The shell then executes the service, so that signals reach it. */
const node = bootstrap();
if (node !== process.versions.node) {
  process.stdout.write(`Node ${node} runs the service; this machine's own is ${process.versions.node}.\n`);
}
build(() => process.stdout.write("Building…\n"));
