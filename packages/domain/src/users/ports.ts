import type { AuditOrigin } from "../audit/entry.ts";
import type { UserIdentifier } from "../identity/identifier.ts";
import type { ImportedUser, ImportOutcome } from "./import.ts";
import type { NewNames, UserName } from "./inputs.ts";
import type { UserFacts } from "./user.ts";

/** One user, as one platform knows it. */
export interface User {
  /** Minted at the first submission, sent to the provider as its reference (gap G11). */
  externalUserId: string;
}

export interface Users {
  /** The platform's user by either name (gap G17); null when there is none (gap G18). */
  find(platformId: string, identifier: UserIdentifier): Promise<User | null>;
}

/** A user to be imported; `mintedId` is their externalUserId where the import names none. */
export type NewUser = ImportedUser & { mintedId: string };

/** What operators do with a platform's users. Nothing that it returns holds personal data. */
export interface UserAdmin {
  /** Null where the platform has no such user; an erased one is found by our own id alone. */
  show(platformId: string, name: UserName): Promise<UserFacts | null>;
  /**
   * Gives a user another e-mail, another member id, or both; records stay as they were submitted. Null where
   * the platform has no such user, or erased it.
   * @throws Failure USER_IDENTITY_CONFLICT where another user has one of them (gap G17).
   */
  relink(platformId: string, externalUserId: string, names: NewNames): Promise<UserFacts | null>;
  /**
   * Imports users in one transaction with an audit entry for each who is new. Returns an outcome for each, in
   * their order. Existing users stay as they are.
   */
  import(platformId: string, users: readonly NewUser[], by: AuditOrigin): Promise<ImportOutcome[]>;
}

/** Erasing users: their personal data go, the ids and statuses of their records stay (gap G26). */
export interface Erasures {
  /** Requests a user's erasure, once; false where the platform has no such user, or erased it. */
  request(platformId: string, externalUserId: string): Promise<boolean>;
  /** Requests the erasure of up to `limit` users without activity for `days`; returns how many. */
  requestExpired(days: number, limit: number): Promise<number>;
  /** Erases up to `limit` users whose erasure is requested and who have no unsettled record; returns how many. */
  eraseDue(limit: number): Promise<number>;
}
