import type { CurrentPerson, NamedPerson, PersonFacts } from "./person.ts";
import type { Role } from "./role.ts";

/** The person of a verified token. The issuer and the subject identify the person. */
export interface SeenPerson {
  issuer: string;
  subject: string;
  name: string | null;
  roles: readonly Role[];
  /** The id of the person if the service does not know them yet. */
  newPersonId: string;
}

/** The id of a person, and whether the person is blocked. */
export interface IdentifiedPerson {
  personId: string;
  blockedAt: Date | null;
}

/**
 * Finds the person of a token, and stores an unknown one. It stores the name, the roles and the time at most once an
 * hour, or with other roles. A result may be a second old.
 */
export type IdentifyPerson = (seen: SeenPerson) => Promise<IdentifiedPerson>;

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
