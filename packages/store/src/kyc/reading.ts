import type { KycRecords } from "@cardbridge/domain";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { byName } from "../by-name.ts";
import type { Database } from "../database.ts";
import { kycHistory, kycRecords, users } from "../schema.ts";
import { blindIndex } from "../sealing/blind-index.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { perConnection } from "../statements.ts";
import { withCommit } from "../transaction.ts";
import { kycStatements, record } from "./statements.ts";

const given = sql.placeholder;

const statements = perConnection((tx) => {
  const latestOf = (name: typeof users.memberIdIndex | typeof users.emailIndex) =>
    tx
      .select(record)
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(and(eq(users.platformId, given("platformId")), eq(name, given("name"))))
      .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id))
      .limit(1);
  return {
    byEmail: latestOf(users.emailIndex).prepare("kyc_latest_by_email"),
    byMemberId: latestOf(users.memberIdIndex).prepare("kyc_latest_by_member_id"),
    history: tx
      .select({
        status: kycHistory.status,
        subStatus: kycHistory.subStatus,
        source: kycHistory.source,
        observedAt: kycHistory.observedAt,
      })
      .from(kycHistory)
      .where(
        and(eq(kycHistory.platformId, given("platformId")), eq(kycHistory.recordId, given("kycRecordId"))),
      )
      .orderBy(asc(kycHistory.id))
      .prepare("kyc_history"),
  };
});

/** Reading KYC records, in one round trip each. */
export function reading(database: Database, keys: Keys): Pick<KycRecords, "latest" | "history"> {
  const keysPass = keyGate(database, keys);
  return {
    async latest(platformId, identifier) {
      await keysPass();
      return database.asPlatform(platformId, async (tx) => {
        const name = blindIndex(keys.indexes, platformId, identifier);
        const found = byName(identifier, statements(tx)).execute({ platformId, name });
        return withCommit([found], ([rows]) => rows[0] ?? null);
      });
    },

    history: (platformId, kycRecordId) =>
      database.asPlatform(platformId, async (tx) => {
        const which = { platformId, kycRecordId };
        const found = kycStatements(tx).findRecord.execute(which);
        const learned = statements(tx).history.execute(which);
        return withCommit([found, learned], ([[known], rows]) => {
          if (!known) return null;
          const history = rows.map(({ observedAt, ...row }) => ({
            ...row,
            observedAt: observedAt.toISOString(),
          }));
          return { record: known, history };
        });
      }),
  };
}
