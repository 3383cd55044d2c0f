import type { UserNames } from "@cardbridge/domain";
import { blindIndex } from "./blind-index.ts";
import { type Owner, unwrapDataKey, wrapDataKey } from "./data-key.ts";
import type { KeyRing } from "./key-ring.ts";
import type { PersonalDataKeys } from "./keys.ts";
import { decryptData, encryptData } from "./personal-data.ts";

/** A user's identifiers in their encrypted form; the e-mail is null if another user took it over. */
export type StoredNames = Pick<UserNames, "memberId"> & { email: string | null };

/**
 * The columns of a user that derive from personal data: the names encrypted under the user's data key, the wrapped
 * data key, and the blind indexes of both names.
 */
export function userColumns(keys: PersonalDataKeys, owner: Owner, names: UserNames, dataKey: Buffer) {
  return {
    memberIdIndex: blindIndex(keys, owner.platformId, { memberId: names.memberId }),
    emailIndex: blindIndex(keys, owner.platformId, { email: names.email }),
    encrypted: encryptNames(names, dataKey, owner),
    ...wrapDataKey(dataKey, owner, keys.ring),
  };
}

/** Encrypts a user's identifiers under the user's data key. */
export function encryptNames({ memberId, email }: StoredNames, dataKey: Buffer, owner: Owner): Buffer {
  return encryptData({ memberId, email }, dataKey, rowOf(owner));
}

/** @throws Failure SERVICE_UNAVAILABLE where the names cannot be decrypted. */
export function decryptNames(encrypted: Buffer, dataKey: Buffer, owner: Owner): StoredNames {
  return decryptData<StoredNames>(encrypted, dataKey, rowOf(owner));
}

/** The columns of a user's row from which `namesOf` reads; all null after an erasure. */
interface NameColumns {
  encrypted: Buffer | null;
  dataKey: Buffer | null;
  keyVersion: number | null;
}

/**
 * The names in a user's row; null after an erasure.
 * @throws Failure SERVICE_UNAVAILABLE where they cannot be decrypted.
 */
export function namesOf(
  { encrypted, dataKey, keyVersion }: NameColumns,
  owner: Owner,
  ring: KeyRing,
): StoredNames | null {
  if (encrypted === null || dataKey === null || keyVersion === null) return null;
  return decryptNames(encrypted, unwrapDataKey({ dataKey, keyVersion }, owner, ring), owner);
}

const rowOf = ({ platformId, userId }: Owner) => ({ platformId, table: "users", rowId: userId }) as const;
