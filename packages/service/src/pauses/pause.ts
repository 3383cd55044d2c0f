import { Failure, internalPlatformId, type Pause } from "@cardbridge/domain";
import { eq, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { pauses, platforms } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

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
export async function namePauses(ports: NamePorts, rows: readonly PauseRow[]): Promise<Pause[]> {
  const nameOf = await namedPersons(
    ports,
    rows.map(({ personId }) => personId),
  );
  return rows.map(({ personId, ...row }) => ({ ...row, person: nameOf(personId) }));
}

export async function namePause(ports: NamePorts, row: PauseRow): Promise<Pause> {
  return requireRow(await namePauses(ports, [row]), "pause");
}

export function pauseConflict(field: string, message: string): Failure {
  return new Failure("PAUSE_CONFLICT", { violations: [{ path: [field], rule: "pause-state", message }] });
}

export const examplePause: Pause = {
  pauseId: "pause_01jexample0000000000000000",
  target: "provider",
  platformId: null,
  platformName: null,
  reason: "Maintenance at the provider until 14:00 UTC",
  state: "active",
  person: { personId: "per_01jexample0000000000000000", name: "Ada" },
  pausedBy: "per_01jexample0000000000000000/key_01jexample0000000000000000",
  pausedAt: "2027-01-31T12:00:00.000Z",
  until: "2027-01-31T14:00:00.000Z",
  resumedBy: null,
  resumedAt: null,
};
