import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

/** The functions of the database that find the platform of a subject before it is known. */
const functions = {
  record: sql`platform_of_record`,
  user: sql`platform_of_user`,
  file: sql`platform_of_file`,
  api_key: sql`platform_of_api_key`,
  proposal: sql`platform_of_proposal`,
  pause: sql`platform_of_pause`,
};
export type PlatformSubject = keyof typeof functions;

/** The platform of a subject by its id; null if the subject does not exist. Throws as `Database.withoutPlatform`. */
export async function platformOf(
  database: Database,
  subject: PlatformSubject,
  id: string,
): Promise<string | null> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ platform_id: string | null }>(sql`select ${functions[subject]}(${id}) as platform_id`),
  );
  return rows[0]?.platform_id ?? null;
}
