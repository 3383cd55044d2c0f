import { and, desc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { kycRecords } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";

const { placeholder } = sql;

/** The columns of the domain's KycRecord. */
export const recordFields = {
  kycRecordId: kycRecords.id,
  externalUserId: kycRecords.userId,
  resolution: kycRecords.resolution,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  revision: kycRecords.revision,
  explanation: kycRecords.explanation,
  attempt: kycRecords.attempt,
  createdAt: kycRecords.createdAt,
  documentExpiry: kycRecords.documentExpiry,
  renews: kycRecords.renews,
  approvedAt: kycRecords.approvedAt,
};

export const isRecord = and(
  eq(kycRecords.platformId, placeholder("platformId")),
  eq(kycRecords.id, placeholder("kycRecordId")),
);
export const ownsRecord = and(isRecord, eq(kycRecords.attempt, placeholder("attempt")));

export const newestFirst = [desc(kycRecords.createdAt), desc(kycRecords.id)];

/** The ids of a user's latest record and of their last approved one, which are all that a reading of the user needs. */
export function currentIds(tx: Tx, isOfUser: SQL | undefined): SQL[] {
  const wasApproved = or(eq(kycRecords.status, sql`'APPROVED'`), isNotNull(kycRecords.approvedAt));
  return [isOfUser, and(isOfUser, wasApproved)].map(
    (condition) =>
      sql`(${tx
        .select({ id: kycRecords.id })
        .from(kycRecords)
        .where(condition)
        .orderBy(...newestFirst)
        .limit(1)})`,
  );
}
