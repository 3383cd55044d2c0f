import { SafeDatabaseError, unavailable } from "../database/errors.ts";

/** A user's name changed before the user could be locked: by a relink, an erasure, or a move to another user. */
export class IdentityChanged extends Error {
  override readonly name = "IdentityChanged";
}

/** Each further try requires another concurrent change of the same names. */
const maxTries = 20;

/**
 * Retries a transaction while concurrent changes move the names that it uses to other users.
 * @throws Failure SERVICE_UNAVAILABLE when that happened on every try.
 */
export async function retryOnIdentityRace<T>(transaction: () => Promise<T>, tries = maxTries): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!(error instanceof IdentityChanged || isEmailTaken(error))) throw error;
    if (tries === 1) throw unavailable(error);
  }
  return retryOnIdentityRace(transaction, tries - 1);
}

/** Another transaction gave the e-mail to a user whom this transaction could not see. */
function isEmailTaken(error: unknown): boolean {
  return error instanceof SafeDatabaseError && error.constraint === "users_email";
}
