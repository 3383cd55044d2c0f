import { readdirSync, readFileSync } from "node:fs";

/**
 * The running processes that carry the mark of a run of tests, by their environment. Linux shows it in /proc; on other
 * systems nothing is found.
 *
 * @returns their ids and command lines
 */
export function processesOf(mark) {
  return ids().flatMap((id) => {
    try {
      // A zombie has no environment any more.
      if (!readFileSync(`/proc/${id}/environ`, "latin1").includes(mark)) return [];
      return [{ id, command: readFileSync(`/proc/${id}/cmdline`, "latin1").replaceAll("\0", " ").trim() }];
    } catch {
      return []; // It has ended, or belongs to another user.
    }
  });
}

function ids() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^[0-9]+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
