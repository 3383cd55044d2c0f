import type { UserFacts, UserName } from "@cardbridge/domain";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";

/** Whether an erasure of the user is requested or done. */
export const erasureState = sql<UserFacts["erasure"]>`case when ${users.erasedAt} is not null then 'erased'
  when ${users.eraseRequestedAt} is not null then 'requested' else 'none' end`;

const userFields = {
  platformId: users.platformId,
  externalUserId: users.id,
  createdAt: shownMoment(sql`${users.createdAt}`),
  erasure: erasureState,
  version: sql<string>`user_version(${users.platformId}, ${users.id})`,
  held: sql<boolean>`is_held(${users.platformId}, ${users.id})`,
};

const recordFields = {
  kycRecordId: kycRecords.id,
  resolution: kycRecords.resolution,
  status: kycRecords.status,
  createdAt: shownMoment(sql`${kycRecords.createdAt}`),
  needsAttentionSince: shownMoment(sql`${kycRecords.needsAttentionSince}`) as SQL<string | null>,
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
