import type { NamedPerson, Persons } from "@cardbridge/domain";

/**
 * Reads the names of these persons once. Returns a function from an id to the person: null for nobody, and without a name
 * for a person who has no row.
 */
export async function namedPersons(
  names: Persons["names"],
  personIds: readonly (string | null)[],
): Promise<(personId: string | null) => NamedPerson | null> {
  const known = [...new Set(personIds)].filter((id) => id !== null);
  const persons = known.length === 0 ? [] : await names(known);
  const byId = new Map(persons.map((person) => [person.personId, person]));
  return (personId) => (personId === null ? null : (byId.get(personId) ?? { personId, name: null }));
}
