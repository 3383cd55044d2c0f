import { join } from "node:path";

/** The paths inside a data folder. */
export function pathsOf(folder: string) {
  return {
    data: join(folder, "postgres"),
    pid: join(folder, "postgres", "postmaster.pid"),
    /** PostgreSQL's messages since its last start. */
    log: join(folder, "postgres.log"),
    credentials: join(folder, "credentials.json"),
  };
}

export type DataFolder = ReturnType<typeof pathsOf>;
