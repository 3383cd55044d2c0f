import {
  exactlyOneSearched,
  findUsersQuery,
  foundUsers,
  type SearchedName,
  toIdentifier,
} from "@cardbridge/domain";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { kycRecords, platforms as platformTable, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { erasureState, exampleUser } from "./user.ts";

const maxUsers = 200;
/** Each platform has another blind index of the name, so that all of them together take a few milliseconds. */
const maxPlatforms = 10_000;

const { records: _records, version: _version, standingApproval: _standing, ...found } = exampleUser;

/** Finds the users with an exact identifier on all platforms that the caller may access. */
export const findUsers = defineOperation({
  ...forOperators("ops.users.read"),
  reach: "platforms",
  id: "users.find",
  kind: "read",
  summary: "Find users",
  description:
    "Finds the users with this e-mail, member id, externalUserId or card account on the platforms that the caller may " +
    "access, at most 200, without personal data.",
  input: findUsersQuery,
  rules: [exactlyOneSearched],
  output: foundUsers,
  example: {
    input: { email: "alice@example.com" },
    output: { users: [{ ...found, platformName: "Example Ltd" }] },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: ["done"],

  async run(ports, call, { platformIds, externalUserId, cardAccountId, ...names }) {
    const platforms = namedPlatforms(call, platformIds);
    const keys = await ports.personalDataKeys();
    const found = await ports.database.asOperators(platforms, async (tx) => {
      if (externalUserId !== undefined) return selectUsers(tx, sql`select ${externalUserId}::text as id`);
      if (cardAccountId !== undefined) {
        return selectUsers(
          tx,
          sql`select distinct ${kycRecords.userId} as id from ${kycRecords}
            where ${kycRecords.cardAccountId} = ${cardAccountId} limit ${maxUsers}`,
        );
      }
      const all = platforms === "all" ? await listPlatforms(tx) : platforms;
      return selectUsers(tx, selectNamed(keys, all, toIdentifier(names)));
    });
    const [only, ...others] = found;
    const subject = only && others.length === 0 ? only : undefined;
    return {
      data: { users: found },
      ...(subject && { subject: subject.externalUserId, platformId: subject.platformId }),
    };
  },
});

/** The ids of the platforms whose names are looked up. */
export async function listPlatforms(tx: Tx): Promise<string[]> {
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

/** The columns of a found user. */
export const foundUserFields = {
  platformId: users.platformId,
  platformName: platformTable.name,
  externalUserId: users.id,
  createdAt: shownMoment(sql`${users.createdAt}`),
  erasure: erasureState,
  held: sql<boolean>`is_held(${users.platformId}, ${users.id})`,
};

function selectUsers(tx: Tx, named: SQL) {
  return (
    tx
      .select(foundUserFields)
      .from(users)
      .innerJoin(platformTable, eq(platformTable.id, users.platformId))
      // An array is read once. A join could repeat the look-ups for each user.
      .where(sql`${users.id} = any(array(${named}))`)
      .orderBy(asc(users.createdAt), asc(users.id))
  );
}
