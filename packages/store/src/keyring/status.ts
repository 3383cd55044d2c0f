import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { Keys } from "../sealing/keys.ts";

export interface KeyVersionCount {
  version: number;
  /** Users whose data keys are wrapped under it; a version without any may leave the ring. */
  users: number;
  inRing: boolean;
  /** Whether keys are wrapped under it from now on. */
  current: boolean;
}

/** The versions of the key ring: those given and those in use, with the users under each. */
export async function keyringStatus(database: Database, { ring }: Keys): Promise<KeyVersionCount[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ version: number; users: number }>(
      sql`select key_version as version, count::int as users from count_key_versions()`,
    ),
  );
  const counts = new Map(rows.map(({ version, users: count }) => [version, count]));
  const versions = [...new Set([...ring.keys.keys(), ...counts.keys()])].sort((a, b) => a - b);
  return versions.map((version) => ({
    version,
    users: counts.get(version) ?? 0,
    inRing: ring.keys.has(version),
    current: version === ring.current,
  }));
}
