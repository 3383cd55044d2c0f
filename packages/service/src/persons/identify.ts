import type { IdentifiedPerson, IdentifyPerson, SeenPerson } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { requireRow } from "../database/require-row.ts";
import { personColumns } from "../database/schema/persons.ts";
import { persons } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import type { Ports } from "../operation/ports.ts";
import { encryptName, personIndex } from "./person-key.ts";

/** The insertable columns of persons. Drizzle's insert lists every column of its table, granted or not. */
const newPersons = pgTable("persons", personColumns());

const identified = { personId: persons.id, blockedAt: persons.blockedAt };

/**
 * Finds the person of a verified token, and stores an unknown one; see the port for the contract. The cache keeps the
 * result for a second at most, so that a block works within a second in every process.
 */
export function identifyPersons({
  database,
  personalDataKeys,
  cache,
}: Pick<Ports, "database" | "personalDataKeys" | "cache">): IdentifyPerson {
  return async (seen) => {
    const confirmed = await personalDataKeys();
    const index = personIndex(confirmed, seen);
    const name = `person ${index.toString("hex")} ${seen.roles.join()}`;
    const lookUp = () => database.withoutPlatform((tx) => findOrStore(tx, confirmed, { ...seen, index }));
    return requireRow([(await cache.find(name, lookUp)) ?? undefined], "person");
  };
}

type Seen = SeenPerson & { index: Buffer };

async function findOrStore(tx: Tx, keys: PersonalDataKeys, seen: Seen): Promise<IdentifiedPerson> {
  return (await findPerson(tx, keys, seen)) ?? (await storePerson(tx, keys, seen));
}

/** The known person, whose name and roles are stored again after an hour, or with other roles. */
async function findPerson(tx: Tx, { ring }: PersonalDataKeys, { issuer, index, roles, name }: Seen) {
  const isFresh = sql<boolean>`${persons.lastSeenAt} > now() - interval '1 hour' and ${persons.roles} = ${sql.param([...roles])}::text[]`;
  const [found] = await tx
    .select({ ...identified, isFresh })
    .from(persons)
    .where(and(eq(persons.issuer, issuer), eq(persons.subjectIndex, index)));
  if (!found) return undefined;
  const { isFresh: fresh, ...person } = found;
  if (!fresh) {
    await tx
      .update(persons)
      .set({ ...encryptName(name, person.personId, ring), roles: [...roles], lastSeenAt: sql`now()` })
      .where(eq(persons.id, person.personId));
  }
  return person;
}

/** Another process may store the same person at the same time: its row counts. */
async function storePerson(tx: Tx, keys: PersonalDataKeys, seen: Seen): Promise<IdentifiedPerson> {
  const { newPersonId, issuer, index, roles, name } = seen;
  const row = { id: newPersonId, issuer, subjectIndex: index, roles: [...roles] };
  const stored = await tx
    .insert(newPersons)
    .values({ ...row, ...encryptName(name, newPersonId, keys.ring) })
    .onConflictDoNothing()
    .returning({ personId: newPersons.id });
  if (stored[0]) return { ...stored[0], blockedAt: null };
  return requireRow([await findPerson(tx, keys, seen)], "person");
}
