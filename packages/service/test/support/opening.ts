import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { World } from "./world.ts";

interface Opening {
  kycRecordId: string;
  personId: string;
  /** What the person saw: any hash, also of evidence that the record never had. */
  evidenceHash: string;
  openingId?: string;
}

/** Opens a record's evidence as `records.submission` does, and returns the opening's id. */
export async function openEvidence(
  { admin, database }: Pick<World, "admin" | "database">,
  { kycRecordId, personId, evidenceHash, openingId = `open_${randomUUID()}` }: Opening,
): Promise<string> {
  const [record] = await admin("select platform_id from kyc_records where id = $1", [kycRecordId]);
  await database.asPlatform(record?.platform_id, (tx) =>
    tx.execute(
      sql`select from open_evidence(${openingId}, ${kycRecordId}, ${personId}, 'review', ${`${personId}/key_1`},
        'req_1', null, ${evidenceHash})`,
    ),
  );
  return openingId;
}
