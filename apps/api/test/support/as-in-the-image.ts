import { spawnSync } from "node:child_process";

/** The user of the image. */
export const imageUser = 65_532;

/**
 * A shell command that runs a program as the image does: as a user without rights, on a root file system that is
 * read-only except for one folder, which belongs to that user. Undefined where that is impossible, as without root.
 */
export function asInTheImage(writable: string): string | undefined {
  const mounts = `mount --bind "${writable}" "${writable}" && mount -o remount,bind,ro /`;
  const user = `setpriv --reuid ${imageUser} --regid ${imageUser} --clear-groups`;
  const drop = `${user} --inh-caps=-all --bounding-set=-all --no-new-privs`;
  const command = `unshare --mount sh -c '${mounts} && exec ${drop} "$0" "$@"'`;
  const write = `fs.accessSync(process.argv[1], fs.constants.W_OK)`;
  const tried = spawnSync("sh", ["-c", `${command} "${process.execPath}" -e "$0" "$1"`, write, writable]);
  return tried.status === 0 ? command : undefined;
}
