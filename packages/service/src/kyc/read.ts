import { type KycRecords, toUserReading } from "@cardbridge/domain";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { kycHistory, kycRecords, users } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";
import { requestsOfRecord } from "../document-requests/read.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import { namesOf } from "../encryption/user-columns.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { currentIds, isRecord, newestFirst, recordFields } from "./record-fields.ts";

const { placeholder } = sql;

const readFields = { ...recordFields, requests: requestsOfRecord };

const statements = perConnection((tx) => {
  const currentOf = (name: typeof users.memberIdIndex | typeof users.emailIndex) => {
    const userId = tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.platformId, placeholder("platformId")), eq(name, placeholder("name"))));
    const ids = currentIds(tx, sql`${kycRecords.userId} = (${userId})`);
    return tx
      .select(readFields)
      .from(kycRecords)
      .where(
        and(
          eq(kycRecords.platformId, placeholder("platformId")),
          sql`${kycRecords.id} in (${sql.join(ids, sql`, `)})`,
        ),
      )
      .orderBy(...newestFirst);
  };
  const isOfPlatform = eq(kycHistory.platformId, placeholder("platformId"));
  const isOfRecord = eq(kycHistory.recordId, placeholder("kycRecordId"));
  return {
    byEmail: currentOf(users.emailIndex).prepare("kyc_current_by_email"),
    byMemberId: currentOf(users.memberIdIndex).prepare("kyc_current_by_member_id"),
    history: tx
      .select({
        resolution: kycHistory.resolution,
        status: kycHistory.status,
        subStatus: kycHistory.subStatus,
        explanation: kycHistory.explanation,
        source: kycHistory.source,
        observedAt: kycHistory.observedAt,
      })
      .from(kycHistory)
      .where(and(isOfPlatform, isOfRecord, isNull(kycHistory.event)))
      .orderBy(asc(kycHistory.id))
      .prepare("kyc_history"),
    recordAndUser: tx
      .select({
        record: readFields,
        user: { encrypted: users.encrypted, dataKey: users.dataKey, keyVersion: users.keyVersion },
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(isRecord)
      .prepare("kyc_record_and_user"),
  };
});

/** Reads KYC records, in one round trip each. */
export function lookups(
  database: Database,
  verifiedKeys: VerifiedKeys,
): Pick<KycRecords, "current" | "history"> {
  return {
    async current(platformId, identifier) {
      const name = blindIndex(await verifiedKeys(), platformId, identifier);
      return database.asPlatform(platformId, async (tx) => {
        const { byEmail, byMemberId } = statements(tx);
        const found = ("email" in identifier ? byEmail : byMemberId).execute({ platformId, name });
        return pipelineCommit([found], ([rows]) => toUserReading(rows));
      });
    },

    async history(platformId, kycRecordId) {
      const { ring } = await verifiedKeys();
      return database.asPlatform(platformId, async (tx) => {
        const id = { platformId, kycRecordId };
        const found = statements(tx).recordAndUser.execute(id);
        const changes = statements(tx).history.execute(id);
        return pipelineCommit([found, changes], ([[row], rows]) => {
          if (!row) return null;
          const { record, user } = row;
          const memberId =
            namesOf(user, { platformId, userId: record.externalUserId }, ring)?.memberId ?? null;
          const history = rows.map(({ observedAt, ...row }) => ({
            ...row,
            observedAt: observedAt.toISOString(),
          }));
          return { record, memberId, history };
        });
      });
    },
  };
}
