import type { User, Users } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { type CacheOptions, createCache } from "../cache.ts";
import type { Database } from "../database.ts";
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

/** Users by either of their names. Finding takes one round trip. A found user is cached until a name of theirs changes. */
export function usersRepository(database: Database, keys: Keys, cache?: CacheOptions): Users {
  const keyGate = createKeyGate(database, keys);
  const cached = createCache<User>(cache);
  return {
    async find(platformId, identifier) {
      const name = blindIndex(await keyGate(), platformId, identifier);
      return cached(name, () =>
        database.asPlatform(platformId, async (tx) => {
          const found = byName(identifier, statements(tx)).execute({ platformId, name });
          return withCommit([found], ([rows]) => rows[0] ?? null);
        }),
      );
    },

    changeEmail: async (platformId, names, by) =>
      changeEmail(database, await keyGate(), { platformId, ...names, by }),
    has: (platformId, externalUserId) => hasUser(database, platformId, externalUserId),
  };
}
