import { internalPlatformId, type Pause, type Persons } from "@cardbridge/domain";
import { eq, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { pauses, platforms } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { namedPersons } from "../persons/named-persons.ts";

/** A pause whose person has no name yet. */
export type PauseRow = Omit<Pause, "person"> & { personId: string | null };

/** Whether a pause is active: a resume ends it at once. */
export const isActive = sql`${pauses.endedAt} is null and ${pauses.until} > clock_timestamp()`;
const isOfProvider = sql`${pauses.platformId} = ${sql.raw(`'${internalPlatformId}'`)}`;

const fields = {
  pauseId: pauses.id,
  target: sql<Pause["target"]>`case when ${isOfProvider} then 'provider' else 'platform' end`,
  platformId: sql<string | null>`case when ${isOfProvider} then null else ${pauses.platformId} end`,
  platformName: sql<string | null>`case when ${isOfProvider} then null else ${platforms.name} end`,
  reason: pauses.reason,
  state: sql<Pause["state"]>`case when ${isActive} then 'active' else 'ended' end`,
  personId: pauses.personId,
  pausedBy: pauses.pausedBy,
  pausedAt: shownMoment(sql`${pauses.pausedAt}`),
  until: shownMoment(sql`${pauses.until}`),
  resumedBy: pauses.resumedBy,
  resumedAt: shownMoment(sql`case when ${pauses.resumedBy} is not null then ${pauses.endedAt} end`) as SQL<
    string | null
  >,
};

/** Selects pauses with the names of their platforms. */
export const selectPauses = (tx: Tx) =>
  tx.select(fields).from(pauses).innerJoin(platforms, eq(platforms.id, pauses.platformId));

/** Replaces the id of each person by the person. */
export async function nameRows(rows: readonly PauseRow[], names: Persons["names"]): Promise<Pause[]> {
  const nameOf = await namedPersons(
    names,
    rows.map(({ personId }) => personId),
  );
  return rows.map(({ personId, ...row }) => ({ ...row, person: nameOf(personId) }));
}
