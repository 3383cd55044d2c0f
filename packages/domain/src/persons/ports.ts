import type { CurrentPerson, NamedPerson, PersonFacts } from "./person.ts";

/** The persons who called through internal apps. */
export interface Persons {
  /** Lists persons, last seen first. The limit is 1 to 1000. */
  list(limit: number): Promise<PersonFacts[]>;
  /**
   * Blocks or unblocks a person: within a second, every process refuses the person's calls. Null if the person does not
   * exist.
   */
  block(personId: string, blocked: boolean): Promise<PersonFacts | null>;
  /** The names of these persons. It omits unknown ids. */
  names(personIds: readonly string[]): Promise<NamedPerson[]>;
  /** At most 200 of these platforms with their names, or of all platforms. */
  platforms(platforms: readonly string[] | "all"): Promise<CurrentPerson["platforms"]>;
}
