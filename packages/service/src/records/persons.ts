import { type NamedPerson, personOf } from "@cardbridge/domain";
import { type NamePorts, readNames } from "../persons/names.ts";

/** The persons among these actors, with their names. */
export async function personsAmong(
  ports: NamePorts,
  actors: readonly (string | null)[],
): Promise<NamedPerson[]> {
  const ids = actors.map((actor) => actor && personOf(actor)).filter((id) => id !== null);
  return readNames(ports, [...new Set(ids)]);
}
