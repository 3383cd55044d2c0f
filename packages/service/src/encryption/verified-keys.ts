import type { Database } from "../database/database.ts";
import { unavailable } from "../database/errors.ts";
import type { KeySet, PersonalDataKeys } from "./keys.ts";
import { WrongKeys } from "./known-keys.ts";

/**
 * Returns the keys of personal data after the database has confirmed them.
 * @throws Failure SERVICE_UNAVAILABLE with WrongKeys as its cause, or because the database is unavailable.
 */
export type VerifiedKeys = () => Promise<PersonalDataKeys>;

/**
 * A repository's only access to the keys of personal data. It queries the database until the database confirms the
 * keys, and does not query it again. Call it before a transaction begins: the query takes a connection of its own.
 */
export function createVerifiedKeys(database: Database, keys: KeySet): VerifiedKeys {
  let confirmed: Promise<PersonalDataKeys> | undefined;
  return () => {
    confirmed ??= database.withoutPlatform(keys.personalData).catch((error: unknown) => {
      confirmed = undefined;
      throw error instanceof WrongKeys ? unavailable(error) : error;
    });
    return confirmed;
  };
}

/** The reasons why personal data cannot be used with these keys, as sentences; empty if there are none. */
export function keyProblems(database: Database, keys: KeySet): Promise<string[]> {
  return database.withoutPlatform(keys.problems);
}
