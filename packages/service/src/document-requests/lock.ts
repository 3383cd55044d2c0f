import { Failure, type KycRecord } from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { kycRecords } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";

/**
 * Locks the record of requests until the transaction ends: every writer does, so that the changes in its history have an
 * order.
 * @throws Failure KYC_RECORD_NOT_FOUND
 */
export async function lockRecordOf(
  tx: Tx,
  platformId: string,
  kycRecordId: string,
): Promise<Pick<KycRecord, "resolution" | "status" | "attempt" | "externalUserId">> {
  const { resolution, status, attempt, userId: externalUserId } = kycRecords;
  const [record] = await tx
    .select({ resolution, status, attempt, externalUserId })
    .from(kycRecords)
    .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)))
    .for("no key update");
  if (!record) throw new Failure("KYC_RECORD_NOT_FOUND");
  return record;
}
