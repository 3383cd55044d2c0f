import { SafeDatabaseError, unavailable } from "../failures.ts";

/** A user lost a name before it could be locked: by a relink, an erasure, or to another user. */
export class IdentityChanged extends Error {
  override readonly name = "IdentityChanged";
}

/** Each further look needs another change of the same names in between. */
const maxLooks = 20;

/**
 * Runs a transaction again while the users whom it found lose their names to others meanwhile.
 * @throws Failure SERVICE_UNAVAILABLE when that happened at every look.
 */
export async function retryOnIdentityRace<T>(transaction: () => Promise<T>, looks = maxLooks): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!(error instanceof IdentityChanged || isEmailTaken(error))) throw error;
    if (looks === 1) throw unavailable(error);
  }
  return retryOnIdentityRace(transaction, looks - 1);
}

/** Another transaction gave the e-mail to a user whom this one could not see. */
function isEmailTaken(error: unknown): boolean {
  return error instanceof SafeDatabaseError && error.constraint === "users_email";
}
