import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { Keys } from "../sealing/keys.ts";

export interface KeyVersionCount {
  version: number;
  /** Users whose data keys are wrapped under it; a version without any may leave the ring. */
  users: number;
  /** Uploads that no submission has used yet: they vanish within a day, or become their user's. */
  files: number;
  inRing: boolean;
  /** Whether keys are wrapped under it from now on. */
  current: boolean;
}

/** The versions of the key ring: those given and those in use, with the users and unused files under each. */
export async function keyringStatus(database: Database, { ring }: Keys): Promise<KeyVersionCount[]> {
  const users = await count(database, sql`count_user_key_versions()`);
  const files = await count(database, sql`count_file_key_versions()`);
  const known = new Set([...ring.keys.keys(), ...users.keys(), ...files.keys()]);
  return [...known]
    .sort((a, b) => a - b)
    .map((version) => ({
      version,
      users: users.get(version) ?? 0,
      files: files.get(version) ?? 0,
      inRing: ring.keys.has(version),
      current: version === ring.current,
    }));
}

async function count(database: Database, counts: SQL): Promise<Map<number, number>> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ version: number; count: number }>(
      sql`select key_version as version, count::int as count from ${counts}`,
    ),
  );
  return new Map(rows.map(({ version, count: number }) => [version, number]));
}
