import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

/** The platform of a record, when the caller does not know it yet; undefined if the record does not exist. */
export function platformOfRecord(database: Database, kycRecordId: string): Promise<string | undefined> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ platform_id: string | null }>(
      sql`select platform_of_record(${kycRecordId}) as platform_id`,
    );
    return rows[0]?.platform_id ?? undefined;
  });
}
