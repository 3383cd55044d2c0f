import type { User, Users } from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { Ports } from "../operation/ports.ts";

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
    byId: tx
      .select({ id: users.id })
      .from(users)
      .where(and(isOfPlatform, eq(users.id, sql.placeholder("id")), isNull(users.erasedAt)))
      .prepare("user_by_id"),
  };
});

/**
 * Finds users by either of their identifiers, in one round trip. A user found by memberId is cached. An e-mail can move to
 * another user, who must never see the previous owner's cards, so e-mails are not cached.
 */
export function userLookup({
  database,
  personalDataKeys,
  cache,
}: Pick<Ports, "database" | "personalDataKeys" | "cache">): Users {
  return {
    async find(platformId, identifier) {
      const name = blindIndex(await personalDataKeys(), platformId, identifier);
      const lookUp = () =>
        database.asPlatform<User | null>(platformId, async (tx) => {
          const { byEmail, byMemberId } = statements(tx);
          const found = ("email" in identifier ? byEmail : byMemberId).execute({ platformId, name });
          return pipelineCommit([found], ([rows]) => rows[0] ?? null);
        });
      return "email" in identifier ? lookUp() : cache.find(`user ${name.toString("hex")}`, lookUp);
    },

    has: (platformId, id) =>
      database.asPlatform<boolean>(platformId, async (tx) => {
        const found = statements(tx).byId.execute({ platformId, id });
        return pipelineCommit([found], ([rows]) => rows.length > 0);
      }),
  };
}
