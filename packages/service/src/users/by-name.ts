import type { User, UserIdentifier, Users } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { type LookupCache, noLookupCache } from "../database/lookup-cache.ts";
import { users } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";

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

/** Selects the statement for the given kind of name. Both statements take its blind index as `name`. */
export function byName<T>(
  identifier: UserIdentifier,
  { byEmail, byMemberId }: { byEmail: T; byMemberId: T },
): T {
  return "email" in identifier ? byEmail : byMemberId;
}

/**
 * Finds users by either of their names, in one round trip. A user found by memberId is cached. An e-mail can move to
 * another user, who must never see the previous owner's cards, so e-mails are not cached.
 */
export function usersRepository(database: Database, keys: KeySet, cache: LookupCache = noLookupCache): Users {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    async find(platformId, identifier) {
      const name = blindIndex(await verifiedKeys(), platformId, identifier);
      const lookUp = () =>
        database.asPlatform<User | null>(platformId, async (tx) => {
          const found = byName(identifier, statements(tx)).execute({ platformId, name });
          return pipelineCommit([found], ([rows]) => rows[0] ?? null);
        });
      return "email" in identifier ? lookUp() : cache.find(`user ${name.toString("hex")}`, lookUp);
    },
  };
}
