import { bootstrap } from "./bootstrap.mjs";
import { build } from "./build.mjs";

/* npm start, its first half: installs and builds. The shell then becomes the service, so that a signal reaches it. */
const node = bootstrap();
if (node !== process.versions.node) {
  process.stdout.write(`Node ${node} runs the service; this machine's own is ${process.versions.node}.\n`);
}
build(() => process.stdout.write("Building…\n"));
