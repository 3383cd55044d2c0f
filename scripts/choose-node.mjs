import { spawnSync } from "node:child_process";
import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The oldest Node of the machine that can replace the pinned Node: the minimum of undici. */
const oldest = [22, 19];

/**
 * Chooses the Node that every script of the project finds first: the pinned Node in `bin`, or the machine's own Node if
 * no binary exists for this system or the binary does not run. Ends the process if neither is usable.
 *
 * @param bin the folder of the root's tools, which is first on the path of every script
 * @param repair reinstalls everything
 * @returns the version of the chosen Node
 */
export function chooseNode({ bin, repair }) {
  const pinned = join(bin, "node");
  const machine = process.versions.node;
  const [major, minor] = machine.split(".").map(Number);
  const machineServes = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  let version = versionOf(pinned);
  if (!version && (exists(pinned) || !machineServes)) {
    repair();
    version = versionOf(pinned);
  }
  if (version) return version;
  // A binary that does not run here would hide the machine's Node from every script.
  rmSync(pinned, { force: true });
  if (machineServes) return machine;
  process.stderr.write(
    `No Node binary from the registry runs on this system, and this machine has Node ${machine}. Install Node 24 or 26, then run the command again.\n`,
  );
  process.exit(1);
}

function versionOf(node) {
  const { status, stdout } = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
