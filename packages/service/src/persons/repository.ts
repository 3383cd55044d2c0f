import { type PersonFacts, type Persons, role } from "@cardbridge/domain";
import { desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { persons } from "../database/schema.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { decryptName } from "./person-key.ts";

/** The number of platforms that `platforms` returns at most. */
const maxPlatforms = 200;

const named = {
  personId: persons.id,
  encrypted: persons.encrypted,
  dataKey: persons.dataKey,
  keyVersion: persons.keyVersion,
};

const fields = {
  ...named,
  // Omits roles that this version does not define.
  roles: sql`${persons.roles}`.mapWith((roles: string[]) =>
    role.options.filter((known) => roles.includes(known)),
  ),
  firstSeenAt: shownMoment(sql`${persons.firstSeenAt}`),
  lastSeenAt: shownMoment(sql`${persons.lastSeenAt}`),
  blockedAt: shownMoment(sql`${persons.blockedAt}`) as SQL<string | null>,
};

type Row = Omit<PersonFacts, "name"> & { encrypted: Buffer; dataKey: Buffer; keyVersion: number };

/** The persons who called through internal apps; see the port for the contract. */
export function personsRepository(database: Database, keys: KeySet): Persons {
  const verifiedKeys = createVerifiedKeys(database, keys);

  /** Replaces the encrypted name of each row by the name. */
  async function withNames<T extends Pick<Row, "personId" | "encrypted" | "dataKey" | "keyVersion">>(
    rows: readonly T[],
  ) {
    const { ring } = await verifiedKeys();
    return rows.map(({ encrypted, dataKey, keyVersion, ...row }) => ({
      ...row,
      name: decryptName({ encrypted, dataKey, keyVersion }, row.personId, ring),
    }));
  }

  return {
    list: async (limit) =>
      withNames(
        await database.withoutPlatform((tx) =>
          tx.select(fields).from(persons).orderBy(desc(persons.lastSeenAt), persons.id).limit(limit),
        ),
      ),

    async block(personId, blocked) {
      const blockedAt = blocked ? sql`coalesce(${persons.blockedAt}, now())` : null;
      const rows = await database.withoutPlatform((tx) =>
        tx.update(persons).set({ blockedAt }).where(eq(persons.id, personId)).returning(fields),
      );
      return (await withNames(rows))[0] ?? null;
    },

    async names(personIds) {
      if (personIds.length === 0) return [];
      const rows = await database.withoutPlatform((tx) =>
        tx
          .select(named)
          .from(persons)
          .where(inArray(persons.id, [...personIds])),
      );
      return withNames(rows);
    },

    platforms: (platforms) =>
      database.withoutPlatform(async (tx) => {
        const only = platforms === "all" ? null : [...platforms];
        const { rows } = await tx.execute<{ id: string; name: string }>(
          sql`select id, name from name_platforms(${sql.param(only)}::text[], ${maxPlatforms})`,
        );
        return rows.map(({ id, name }) => ({ platformId: id, name }));
      }),
  };
}
