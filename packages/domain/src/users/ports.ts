import type { AuditOrigin } from "../audit/entry.ts";
import type { UserIdentifier } from "../identity/identifier.ts";
import type { PersonPlatforms } from "../persons/person.ts";
import type { FoundUsers, SearchedName } from "./find.ts";
import type { ImportedUser, ImportOutcome } from "./import.ts";
import type { NewNames, UserName, UserNames } from "./inputs.ts";
import type { UserFacts } from "./user.ts";

/** A user of a platform. */
export interface User {
  /** Generated at the first submission, and sent to the provider as the user's reference. */
  externalUserId: string;
}

export interface Users {
  /** Finds a platform's user by either identifier; null if there is none. */
  find(platformId: string, identifier: UserIdentifier): Promise<User | null>;
  /**
   * In one transaction: changes the e-mail of the user with this memberId, takes it from a user who may lose it
   * (`decideEmailChange`), and audits both. Null if the platform has no user with this memberId.
   * @throws Failure USER_IDENTITY_CONFLICT, USER_ERASURE_PENDING.
   */
  changeEmail(platformId: string, names: UserNames, by: AuditOrigin): Promise<User | null>;
  /** Whether the platform has a user with this id who is not erased. */
  has(platformId: string, externalUserId: string): Promise<boolean>;
}

/** A user to import. `generatedId` becomes their externalUserId if the import has none. */
export type NewUser = ImportedUser & { generatedId: string };

/** Administers a platform's users. It returns no personal data. */
export interface UserAdmin {
  /** The users with this name on these platforms, at most 200. */
  find(platforms: PersonPlatforms, name: SearchedName): Promise<FoundUsers["users"]>;
  /** Null if the platform has no such user. An erased user is found only by externalUserId. */
  show(platformId: string, name: UserName): Promise<UserFacts | null>;
  /**
   * Replaces a user's e-mail, member id, or both. Records keep their submitted data. Null if the user does not exist
   * or is erased.
   * @throws Failure USER_IDENTITY_CONFLICT if another user has one of these identifiers.
   */
  relink(platformId: string, externalUserId: string, names: NewNames): Promise<UserFacts | null>;
  /**
   * In one transaction: imports users and audits each new one. Existing users stay unchanged. Returns one outcome per
   * user, in order.
   */
  import(platformId: string, users: readonly NewUser[], by: AuditOrigin): Promise<ImportOutcome[]>;
}

/** Erases users' personal data. The ids and statuses of their records remain until they are swept. */
export interface Erasures {
  /** Requests a user's erasure; false if the user does not exist or is erased. */
  request(platformId: string, externalUserId: string): Promise<boolean>;
  /** Requests the erasure of up to `limit` users without activity for `days`; returns their number. */
  requestExpired(days: number, limit: number): Promise<number>;
  /**
   * Erases up to `limit` users with a requested erasure and no unresolved record; returns their number. Each is in the
   * log of erasures, which is outside the database, before the erasure.
   * @throws Failure SERVICE_UNAVAILABLE, also if the log cannot be written: nobody is erased then.
   */
  eraseDue(limit: number): Promise<number>;
  /** Deletes up to `limit` users who were erased `days` ago, with their records; returns their number. */
  sweep(days: number, limit: number): Promise<number>;
}
