import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { users } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";

const statements = perConnection((tx) => ({
  byId: tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.platformId, sql.placeholder("platformId")),
        eq(users.id, sql.placeholder("id")),
        isNull(users.erasedAt),
      ),
    )
    .prepare("user_by_id"),
}));

/** Whether a platform has a user with this id who is not erased, in one round trip. */
export function hasUser(database: Database, platformId: string, id: string): Promise<boolean> {
  return database.asPlatform(platformId, async (tx) => {
    const found = statements(tx).byId.execute({ platformId, id });
    return pipelineCommit([found], ([rows]) => rows.length > 0);
  });
}
