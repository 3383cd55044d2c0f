import { install, pnpm, root } from "./bootstrap.mjs";

/* npm start: install, build, and become the service, so that a signal to this process reaches it. */
install();
process.stdout.write("Building…\n");
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
process.chdir(root);
await import("../apps/api/dist/main.js");
