import type { UserIdentifier } from "../identity/identifier.ts";

/** A user of a platform. */
export interface User {
  /** Generated at the first submission, and sent to the provider as the user's reference. */
  externalUserId: string;
}

/** Finds users, for the calls of platforms. */
export interface Users {
  /** Finds a platform's user by either identifier; null if there is none. */
  find(platformId: string, identifier: UserIdentifier): Promise<User | null>;
  /** Whether the platform has a user with this id who is not erased. */
  has(platformId: string, externalUserId: string): Promise<boolean>;
}
