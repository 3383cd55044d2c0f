import type { Database } from "../database.ts";
import { unavailable } from "../failures.ts";
import type { KeySet, PersonalDataKeys } from "./keys.ts";
import { WrongKeys } from "./known-keys.ts";

/**
 * Returns the keys of personal data that the database has confirmed.
 * @throws Failure SERVICE_UNAVAILABLE because of WrongKeys, or because the database cannot be used.
 */
export type VerifiedKeys = () => Promise<PersonalDataKeys>;

/**
 * The only access of a repository to the keys of personal data. Queries the database until it confirms the keys,
 * and never again. Call it before a transaction begins: the query takes a connection of its own.
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

/** Why personal data cannot be used with these keys, as sentences; empty when they can. */
export function keyProblems(database: Database, keys: KeySet): Promise<string[]> {
  return database.withoutPlatform(keys.problems);
}
