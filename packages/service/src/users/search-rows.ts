import type { FoundUsers, PersonPlatforms, SearchedName } from "@cardbridge/domain";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycRecords, platforms as platformTable, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { erasureState } from "./show-user.ts";

const maxUsers = 200;
/** Each platform has another blind index of the name, so that all of them together take a few milliseconds. */
const maxPlatforms = 10_000;

/** Finds the users with a name on several platforms. */
export function searchUsers(
  database: Database,
  keys: PersonalDataKeys,
  platforms: PersonPlatforms,
  name: SearchedName,
): Promise<FoundUsers["users"]> {
  return database.asOperators(platforms, async (tx) => {
    const named =
      "externalUserId" in name
        ? sql`select ${name.externalUserId}::text as id`
        : "cardAccountId" in name
          ? sql`select distinct ${kycRecords.userId} as id from ${kycRecords}
              where ${kycRecords.cardAccountId} = ${name.cardAccountId} limit ${maxUsers}`
          : selectNamed(keys, platforms === "all" ? await listPlatforms(tx) : platforms, name);
    return selectUsers(tx, named);
  });
}

async function listPlatforms(tx: Tx): Promise<string[]> {
  const rows = await tx.select({ id: platformTable.id }).from(platformTable).limit(maxPlatforms);
  return rows.map(({ id }) => id);
}

/** One look-up in a unique index for each platform. */
export function selectNamed(
  keys: PersonalDataKeys,
  platforms: readonly string[],
  name: Extract<SearchedName, { email: string } | { memberId: string }>,
): SQL {
  const column = "email" in name ? users.emailIndex : users.memberIdIndex;
  const indexes = platforms.map((platformId) => blindIndex(keys, platformId, name));
  return sql`
    select found.id
    from unnest(${sql.param([...platforms])}::text[], ${sql.param(indexes)}::bytea[]) as named (platform_id, name)
    cross join lateral (
      select ${users.id} as id from ${users}
      where ${users.platformId} = named.platform_id and ${column} = named.name limit 1
    ) as found
    limit ${maxUsers}`;
}

function selectUsers(tx: Tx, named: SQL) {
  return (
    tx
      .select({
        platformId: users.platformId,
        platformName: platformTable.name,
        externalUserId: users.id,
        createdAt: shownMoment(sql`${users.createdAt}`),
        erasure: erasureState,
        held: sql<boolean>`is_held(${users.platformId}, ${users.id})`,
      })
      .from(users)
      .innerJoin(platformTable, eq(platformTable.id, users.platformId))
      // An array is read once. A join could repeat the look-ups for each user.
      .where(sql`${users.id} = any(array(${named}))`)
      .orderBy(asc(users.createdAt), asc(users.id))
  );
}
