import { type CurrentPause, internalPlatformId } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

interface Row extends Record<string, unknown> {
  id: string;
  platform_id: string;
  reason: string;
  ends_at: string;
  ends_in: number;
}

/** Reads the active pauses of the provider and of all platforms. Throws as `Database.withoutPlatform`. */
export async function readCurrentPauses(database: Database): Promise<CurrentPause[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<Row>(sql`select id, platform_id, reason, ends_at, ends_in from current_pauses()`),
  );
  return rows.map(({ id, platform_id, reason, ends_at, ends_in }) => ({
    pauseId: id,
    platformId: platform_id === internalPlatformId ? null : platform_id,
    reason,
    endsAt: new Date(ends_at),
    endsInMs: ends_in,
  }));
}
