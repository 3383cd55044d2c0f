import { readdirSync, readFileSync } from "node:fs";

/**
 * Finds the running processes of a test run by the mark in their environment. Reads /proc of Linux; on other systems it
 * finds none.
 *
 * @returns their ids and command lines
 */
export function processesOf(mark) {
  return ids().flatMap((id) => {
    try {
      // A zombie has no environment.
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
