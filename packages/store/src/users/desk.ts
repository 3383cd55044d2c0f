import type { UserAdmin, UserFacts, UserName } from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import { shownMoment } from "../columns.ts";
import type { Database } from "../database.ts";
import { kycRecords, users } from "../schema.ts";
import { blindIndex } from "../sealing/blind-index.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { withCommit } from "../transaction.ts";
import { relinkUser } from "./relink.ts";

const userFacts = {
  platformId: users.platformId,
  externalUserId: users.id,
  createdAt: shownMoment(sql`${users.createdAt}`),
  erasure: sql<UserFacts["erasure"]>`case when ${users.erasedAt} is not null then 'erased'
    when ${users.eraseRequestedAt} is not null then 'requested' else 'none' end`,
};

const recordFacts = {
  kycRecordId: kycRecords.id,
  settlement: kycRecords.settlement,
  status: kycRecords.status,
  createdAt: shownMoment(sql`${kycRecords.createdAt}`),
};

/** What people do with users; see the port for the contract. */
export function userAdmin(database: Database, keys: Keys): UserAdmin {
  const keysPass = keyGate(database, keys);

  return {
    async show(platformId, name) {
      await keysPass();
      return show(platformId, name);
    },

    async relink(platformId, userId, names) {
      await keysPass();
      const relinked = await relinkUser(database, keys, { platformId, userId }, names);
      return relinked ? show(platformId, { externalUserId: userId }) : null;
    },
  };

  function show(platformId: string, name: UserName): Promise<UserFacts | null> {
    return database.asPlatform<UserFacts | null>(platformId, async (tx) => {
      const [user] = await tx
        .select(userFacts)
        .from(users)
        .where(and(eq(users.platformId, platformId), isNamed(platformId, name)));
      if (!user) return null;
      const records = tx
        .select(recordFacts)
        .from(kycRecords)
        .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.userId, user.externalUserId)))
        .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id));
      return withCommit([records], ([rows]) => ({ ...user, records: rows }));
    });
  }

  function isNamed(platformId: string, name: UserName) {
    if ("externalUserId" in name) return eq(users.id, name.externalUserId);
    const column = "email" in name ? users.emailIndex : users.memberIdIndex;
    return eq(column, blindIndex(keys.indexes, platformId, name));
  }
}
