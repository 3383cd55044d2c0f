import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root: every script runs there, wherever it was called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(read("package.json"));

/**
 * Installs what a folder's lockfile says, unless it is installed already. Needs Node and npm only.
 *
 * @param what for the line that says so
 */
export function install({ quiet = false, folder = ".", what = "dependencies" } = {}) {
  if (read(`${folder}/node_modules/.pnpm/lock.yaml`) === read(`${folder}/pnpm-lock.yaml`)) return;
  process.stderr.write(`Installing ${what} as the lockfile says…\n`);
  const options = ["--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"];
  pnpm(["--dir", folder, "install", ...options], { quiet });
}

/**
 * Runs the pinned pnpm; on failure this process ends with its exit code. A quiet run shows its output only
 * when it fails.
 */
export function pnpm(args, { quiet = false } = {}) {
  const { status, signal, stdout, stderr } = spawnSync("npx", ["--yes", packageManager, ...args], {
    cwd: root,
    stdio: quiet ? "pipe" : "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  });
  if (quiet && status !== 0) process.stderr.write(Buffer.concat([stdout, stderr]));
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

function read(path) {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
