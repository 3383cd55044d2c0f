import type { Pool } from "pg";
import { requireRow } from "./require-row.ts";

export interface Durability {
  /** PostgreSQL's setting of this name for the service's sessions. */
  synchronousCommit: string;
  /** The standbys that confirm a commit, as PostgreSQL's setting names them; empty without one. */
  synchronousStandbys: string;
  /** False if a crash of the server's machine can lose commits. */
  fsync: boolean;
}

/** Reads the settings that decide whether a commit outlives a crash, and the loss of the primary. */
export async function readDurability(pool: Pool): Promise<Durability> {
  const { rows } = await pool.query<Durability>(
    `select current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbys",
      current_setting('fsync')::boolean as fsync`,
  );
  return requireRow(rows, "setting");
}
