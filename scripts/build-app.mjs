import { spawn } from "node:child_process";
import { packageManager, root } from "./bootstrap.mjs";

let build;

/**
 * Builds one app with turbo, whose cache knows unchanged sources.
 *
 * @param quiet prints nothing
 * @param options further options of turbo
 * @returns the exit code
 */
export async function buildApp(name, { quiet, options = [] }) {
  const turbo = ["exec", "turbo", "run", "build", `--filter=./apps/${name}`, "--ui=stream", ...options];
  build = spawn("npx", ["--yes", packageManager, ...turbo], {
    cwd: root,
    // A group of its own: pnpm, turbo and the builder end together.
    detached: true,
    stdio: quiet ? "ignore" : ["ignore", "inherit", "inherit"],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  });
  const code = await new Promise((resolve) => build.once("exit", resolve).once("error", () => resolve(1)));
  build = undefined;
  return code;
}

/** Ends this process, and the build that it runs, on a signal or when its parent has ended. */
export function endBuildWithParent(isOver = () => false) {
  const end = () => {
    if (isOver()) return;
    try {
      if (build?.pid !== undefined) process.kill(-build.pid, "SIGTERM");
    } catch {
      // It has already ended.
    }
    process.exit(0);
  };
  for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(event, end);
}
