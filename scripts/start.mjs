import { install, pnpm, root } from "./bootstrap.mjs";

/* npm start: install, build, and become the service, so that a signal to this process reaches it. */
install();
process.stdout.write("Building…\n");
pnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only", "--log-order=grouped", "--ui=stream"], {
  TURBO_PRINT_VERSION_DISABLED: "1",
});
process.chdir(root);
await import("../apps/api/dist/main.js");
