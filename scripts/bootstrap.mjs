import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseNode } from "./choose-node.mjs";

/** The project's root, in which every script runs, wherever it is called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The pinned pnpm, for npx. */
export const { packageManager } = JSON.parse(read("package.json"));

/**
 * Installs the packages of the root's lockfile, including Node, unless they are installed. Requires only Node and npm.
 *
 * @returns the version of the Node that runs the service, the tests and the tools
 */
export function bootstrap({ quiet = false } = {}) {
  install({ quiet });
  return chooseNode({ bin: join(root, "node_modules/.bin"), repair: () => install({ quiet, repair: true }) });
}

/**
 * Installs the packages of a folder's lockfile unless they are installed.
 *
 * @param what the name of the dependencies in the line that reports the installation
 * @param repair reinstalls every package, whatever the state of the folder
 */
export function install({ quiet = false, folder = ".", what = "dependencies", repair = false } = {}) {
  const state = `${folder}/node_modules/.pnpm/lock.yaml`;
  if (repair) rmSync(join(root, folder, "node_modules"), { recursive: true, force: true });
  else if (read(state) === read(`${folder}/pnpm-lock.yaml`)) return;
  process.stderr.write(`Installing ${what} from the lockfile…\n`);
  const options = ["--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"];
  // Outside the project and without its tools on the path, pnpm runs on the machine's Node, so a broken installation
  // of the pinned Node cannot prevent its own repair.
  run(["--dir", join(root, folder), "install", ...options], { quiet, cwd: tmpdir(), path: machinePath() });
}

/**
 * Runs the pinned pnpm in the root. On failure, this process exits with the same code. A quiet run prints its output
 * only when it fails.
 */
export function pnpm(args, { quiet = false } = {}) {
  run(args, { quiet, cwd: root, path: process.env.PATH });
}

function run(args, { quiet, cwd, path }) {
  const { status, signal, stdout, stderr } = spawnSync("npx", ["--yes", packageManager, ...args], {
    cwd,
    stdio: quiet ? "pipe" : "inherit",
    env: { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: "1" },
  });
  if (quiet && status !== 0) process.stderr.write(Buffer.concat([stdout, stderr]));
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

/** The path without the tools of any project, starting with the Node that runs this script. */
function machinePath() {
  const entries = (process.env.PATH ?? "").split(delimiter);
  const tools = join("node_modules", ".bin");
  return [dirname(process.execPath), ...entries.filter((entry) => !entry.endsWith(tools))].join(delimiter);
}

function read(path) {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
