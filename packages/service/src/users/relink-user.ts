import { Failure, type NewNames } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/errors.ts";
import type { Owner } from "../encryption/data-key.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { changeNames } from "./change-names.ts";

/**
 * Changes a user's identifiers and keeps the data key. Returns false if the platform has no such user or the user is
 * erased.
 * @throws Failure USER_IDENTITY_CONFLICT if another user has one of the identifiers.
 */
export async function relinkUser(
  database: Database,
  keys: PersonalDataKeys,
  owner: Owner,
  names: NewNames,
): Promise<boolean> {
  const { platformId, userId } = owner;
  try {
    return await database.asPlatform(platformId, (tx) => changeNames(tx, keys, owner, names));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Failure("USER_IDENTITY_CONFLICT", { audit: { platformId, subject: userId } });
  }
}
