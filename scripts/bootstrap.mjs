import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root: every script runs there, wherever it was called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(read("package.json"));

/** Installs what the lockfile says, unless it is installed already. Needs Node and npm only. */
export function install({ quiet = false } = {}) {
  if (read("node_modules/.pnpm/lock.yaml") === read("pnpm-lock.yaml")) return;
  process.stderr.write("Installing dependencies as the lockfile says…\n");
  pnpm(["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], { quiet });
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
