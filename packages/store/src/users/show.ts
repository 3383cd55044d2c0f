import type { UserFacts, UserName } from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { shownMoment } from "../schema/columns.ts";
import { kycRecords, users } from "../schema.ts";
import { pipelineCommit } from "../transaction.ts";

/** Whether an erasure of the user is requested or done. */
export const erasureState = sql<UserFacts["erasure"]>`case when ${users.erasedAt} is not null then 'erased'
  when ${users.eraseRequestedAt} is not null then 'requested' else 'none' end`;

const userFields = {
  platformId: users.platformId,
  externalUserId: users.id,
  createdAt: shownMoment(sql`${users.createdAt}`),
  erasure: erasureState,
  // The identifiers are in it as keyed hashes, and each change of a record as a row of its history.
  version: sql<string>`md5(concat_ws('/', users.member_id_index, users.email_index, users.erase_requested_at, users.erased_at, is_held(users.platform_id, users.id), (select count(*) || '.' || coalesce(max(kyc_history.id), 0) from kyc_records join kyc_history on (kyc_history.platform_id, kyc_history.record_id) = (kyc_records.platform_id, kyc_records.id) where (kyc_records.platform_id, kyc_records.user_id) = (users.platform_id, users.id))))`,
  held: sql<boolean>`is_held(${users.platformId}, ${users.id})`,
};

const recordFields = {
  kycRecordId: kycRecords.id,
  resolution: kycRecords.resolution,
  status: kycRecords.status,
  createdAt: shownMoment(sql`${kycRecords.createdAt}`),
};

/** A user with their records, newest first, without personal data; null where the platform has no such user. */
export function showUser(
  database: Database,
  keys: PersonalDataKeys,
  platformId: string,
  name: UserName,
): Promise<UserFacts | null> {
  return database.asPlatform<UserFacts | null>(platformId, async (tx) => {
    const [user] = await tx
      .select(userFields)
      .from(users)
      .where(and(eq(users.platformId, platformId), hasName(keys, platformId, name)));
    if (!user) return null;
    const records = tx
      .select(recordFields)
      .from(kycRecords)
      .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.userId, user.externalUserId)))
      .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id));
    return pipelineCommit([records], ([rows]) => ({ ...user, records: rows }));
  });
}

function hasName(keys: PersonalDataKeys, platformId: string, name: UserName) {
  if ("externalUserId" in name) return eq(users.id, name.externalUserId);
  const column = "email" in name ? users.emailIndex : users.memberIdIndex;
  return eq(column, blindIndex(keys, platformId, name));
}
