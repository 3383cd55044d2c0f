import type { User, Users } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { byName } from "../by-name.ts";
import type { Database } from "../database.ts";
import { createCache } from "../hold.ts";
import { users } from "../schema.ts";
import { blindIndex } from "../sealing/blind-index.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { perConnection } from "../statements.ts";
import { withCommit } from "../transaction.ts";

const statements = perConnection((tx) => {
  const find = () => tx.select({ externalUserId: users.id }).from(users);
  const ofPlatform = eq(users.platformId, sql.placeholder("platformId"));
  return {
    byEmail: find()
      .where(and(ofPlatform, eq(users.emailIndex, sql.placeholder("name"))))
      .prepare("user_by_email"),
    byMemberId: find()
      .where(and(ofPlatform, eq(users.memberIdIndex, sql.placeholder("name"))))
      .prepare("user_by_member_id"),
  };
});

/** The users of platforms, each found by either of its two names (gap G17), in one round trip, and held so long. */
export function usersRepository(database: Database, keys: Keys, holdSeconds = 0): Users {
  const keysPass = keyGate(database, keys);
  const held = createCache<User>(holdSeconds);
  return {
    find(platformId, identifier) {
      const name = blindIndex(keys.indexes, platformId, identifier);
      return held(name, async () => {
        await keysPass();
        return database.asPlatform(platformId, async (tx) => {
          const found = byName(identifier, statements(tx)).execute({ platformId, name });
          return withCommit([found], ([rows]) => rows[0] ?? null);
        });
      });
    },
  };
}
