import type { User, Users } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { type LookupCache, noLookupCache } from "../lookup-cache.ts";
import { users } from "../schema.ts";
import { blindIndex } from "../sealing/blind-index.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { perConnection } from "../statements.ts";
import { withCommit } from "../transaction.ts";
import { byName } from "./by-name.ts";
import { changeEmail } from "./change-email.ts";
import { hasUser } from "./has.ts";

const statements = perConnection((tx) => {
  const find = () => tx.select({ externalUserId: users.id }).from(users);
  const isOfPlatform = eq(users.platformId, sql.placeholder("platformId"));
  return {
    byEmail: find()
      .where(and(isOfPlatform, eq(users.emailIndex, sql.placeholder("name"))))
      .prepare("user_by_email"),
    byMemberId: find()
      .where(and(isOfPlatform, eq(users.memberIdIndex, sql.placeholder("name"))))
      .prepare("user_by_member_id"),
  };
});

/**
 * Users by either of their names (gap G17). Finding takes one round trip. A user found by memberId is cached. An e-mail
 * can move to another user, who must not see the first one's cards even for a moment, so e-mails are not cached.
 */
export function usersRepository(database: Database, keys: Keys, cache: LookupCache = noLookupCache): Users {
  const keyGate = createKeyGate(database, keys);
  return {
    async find(platformId, identifier) {
      const name = blindIndex(await keyGate(), platformId, identifier);
      const lookUp = () =>
        database.asPlatform<User | null>(platformId, async (tx) => {
          const found = byName(identifier, statements(tx)).execute({ platformId, name });
          return withCommit([found], ([rows]) => rows[0] ?? null);
        });
      return "email" in identifier ? lookUp() : cache.find(`user ${name.toString("hex")}`, lookUp);
    },

    changeEmail: async (platformId, names, by) =>
      changeEmail(database, await keyGate(), { platformId, ...names, by }),
    has: (platformId, externalUserId) => hasUser(database, platformId, externalUserId),
  };
}
