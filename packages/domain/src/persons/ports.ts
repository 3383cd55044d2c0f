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
