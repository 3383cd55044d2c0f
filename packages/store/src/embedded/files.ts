import { join } from "node:path";

/** The files of a data folder. */
export function filesOf(folder: string) {
  return {
    data: join(folder, "postgres"),
    pid: join(folder, "postgres", "postmaster.pid"),
    /** PostgreSQL's own messages, of the last start. */
    log: join(folder, "postgres.log"),
    credentials: join(folder, "credentials.json"),
  };
}

export type Files = ReturnType<typeof filesOf>;
