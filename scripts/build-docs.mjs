import { existsSync, utimesSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { bootstrap, root } from "./bootstrap.mjs";
import { buildApp, endBuildWithParent } from "./build-app.mjs";

/*
 * npm run docs:build: builds the documentation if its sources changed. npm start runs it as a child of the service: it
 * then ends with the service, and leaves it to the service to report a failure.
 */
const isChild = process.connected === true;
endBuildWithParent();
// Calls of the service come first. The lowest priority would get almost no time on a busy machine.
if (isChild) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
else bootstrap();
const code = await buildApp("docs", { quiet: isChild });
// The service reads the build again when this file changes, also if turbo restored the others after it.
const complete = join(root, "apps", "docs", "dist", "csp.json");
const now = new Date();
if (code === 0 && existsSync(complete)) utimesSync(complete, now, now);
process.exit(code ?? 1);
