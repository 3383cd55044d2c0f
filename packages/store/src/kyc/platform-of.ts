import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";

/** Whose a record is; asked before a platform is known, and answered with nothing else. */
export function platformOf(database: Database, kycRecordId: string): Promise<string | undefined> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ platform_id: string | null }>(
      sql`select platform_of_record(${kycRecordId}) as platform_id`,
    );
    return rows[0]?.platform_id ?? undefined;
  });
}
