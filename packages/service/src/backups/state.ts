import { sql } from "drizzle-orm";
import type { backupKinds, backupSteps } from "../database/schema/backups.ts";
import type { Ports } from "../operation/ports.ts";

/** The attempts of a step of backups. */
export interface BackupState {
  step: (typeof backupSteps)[number];
  /** What the last successful attempt made or verified, and how long ago; null before the first one. */
  last: { kind: (typeof backupKinds)[number]; seconds: number } | null;
  /** Whether the newest attempt failed. */
  failed: boolean;
}

/** Reads the state of each step of backups that was ever attempted. */
export async function readBackups({ database }: Pick<Ports, "database">): Promise<BackupState[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<BackupState & Record<string, unknown>>(
      sql`select step, not (array_agg(ok order by finished_at desc))[1] as failed,
        (array_agg(json_build_object('kind', kind, 'seconds', extract(epoch from clock_timestamp() - finished_at))
          order by finished_at desc) filter (where ok))[1] as last
      from backups group by step`,
    ),
  );
  return rows;
}
