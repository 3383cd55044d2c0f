import { and, eq, sql } from "drizzle-orm";
import { kycRecords } from "../database/schema.ts";

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
};

export const isRecord = and(
  eq(kycRecords.platformId, placeholder("platformId")),
  eq(kycRecords.id, placeholder("kycRecordId")),
);
export const ownsRecord = and(isRecord, eq(kycRecords.attempt, placeholder("attempt")));
