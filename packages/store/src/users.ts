import type { Users } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { byName } from "./by-name.ts";
import type { Database } from "./database.ts";
import { users } from "./schema.ts";
import { perConnection } from "./statements.ts";
import { withCommit } from "./transaction.ts";

const statements = perConnection((tx) => {
  const find = () => tx.select({ externalUserId: users.id }).from(users);
  const ofPlatform = eq(users.platformId, sql.placeholder("platformId"));
  return {
    byEmail: find()
      .where(and(ofPlatform, eq(users.emailNormalized, sql.placeholder("name"))))
      .prepare("user_by_email"),
    byMemberId: find()
      .where(and(ofPlatform, eq(users.memberId, sql.placeholder("name"))))
      .prepare("user_by_member_id"),
  };
});

/** The users of platforms, each found by either of its two names (gap G17), in one round trip. */
export function usersRepository(database: Database): Users {
  return {
    find: (platformId, identifier) =>
      database.asPlatform(platformId, async (tx) => {
        const found = byName(platformId, identifier, statements(tx));
        return withCommit([found], ([rows]) => rows[0] ?? null);
      }),
  };
}
