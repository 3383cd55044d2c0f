import type { UserNames } from "@cardbridge/domain";
import { blindIndex } from "./blind-index.ts";
import { type Owner, wrapDataKey } from "./data-key.ts";
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

const rowOf = ({ platformId, userId }: Owner) => ({ platformId, table: "users", rowId: userId }) as const;
