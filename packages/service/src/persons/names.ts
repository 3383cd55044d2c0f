import type { NamedPerson } from "@cardbridge/domain";
import { inArray } from "drizzle-orm";
import { persons } from "../database/schema.ts";
import type { Ports } from "../operation/ports.ts";
import { decryptNames, encryptedName } from "./person-key.ts";

/** What reading the names of persons needs. */
export type NamePorts = Pick<Ports, "database" | "personalDataKeys">;

/**
 * Reads the names of these persons. It omits unknown ids. Names are encrypted: read them outside a transaction.
 * @throws Failure SERVICE_UNAVAILABLE where a name cannot be decrypted.
 */
export async function readNames(
  { database, personalDataKeys }: NamePorts,
  personIds: readonly string[],
): Promise<NamedPerson[]> {
  if (personIds.length === 0) return [];
  const { ring } = await personalDataKeys();
  const rows = await database.withoutPlatform((tx) =>
    tx
      .select(encryptedName)
      .from(persons)
      .where(inArray(persons.id, [...personIds])),
  );
  return decryptNames(rows, ring);
}

/**
 * Reads the names of these persons once. Returns a function from an id to the person: null for nobody, and without a name
 * for a person who has no row.
 */
export async function namedPersons(
  ports: NamePorts,
  personIds: readonly (string | null)[],
): Promise<(personId: string | null) => NamedPerson | null> {
  const known = [...new Set(personIds)].filter((id) => id !== null);
  const byId = new Map((await readNames(ports, known)).map((person) => [person.personId, person]));
  return (personId) => (personId === null ? null : (byId.get(personId) ?? { personId, name: null }));
}
