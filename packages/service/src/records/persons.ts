import { type NamedPerson, type Persons, personOf } from "@cardbridge/domain";

/** The persons among these actors, with their names. */
export async function personsAmong(
  persons: Persons,
  actors: readonly (string | null)[],
): Promise<NamedPerson[]> {
  const ids = actors.map((actor) => actor && personOf(actor)).filter((id) => id !== null);
  return ids.length === 0 ? [] : persons.names([...new Set(ids)]);
}
