import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian keeps the programs of a PostgreSQL server in this folder, which is in no path. */
const postgres = "/usr/lib/postgresql/15/bin";
/** The path of an ordinary user has no folder of system programs. */
const folders = [postgres, ...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];

export type Program = "postgres" | "pgbouncer" | "haproxy";

/** The path of a program; undefined if this machine does not have it. */
export function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** @throws Error if this machine does not have the program. */
export function programPath(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`There is no ${name} on this machine.`);
  return path;
}

/** Why a drill that needs these programs cannot run; undefined if it can. */
export function reasonNotToRun(programs: readonly Program[]): string | undefined {
  const missing = programs.filter((name) => findProgram(name) === undefined);
  return missing.length === 0 ? undefined : `not run: no ${missing.join(" and no ")} on this machine`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
