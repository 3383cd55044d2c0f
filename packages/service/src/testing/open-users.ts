import type { Database } from "../database/database.ts";
import { blindIndex, isEqualIndex } from "../encryption/blind-index.ts";
import { unwrapDataKey } from "../encryption/data-key.ts";
import type { KeySet } from "../encryption/keys.ts";
import { decryptNames, type StoredNames } from "../encryption/user-columns.ts";

/** A user's row, as a superuser reads it. */
export interface UserRow {
  id: string;
  platform_id: string;
  member_id_index: Buffer;
  email_index: Buffer | null;
  encrypted: Buffer;
  data_key: Buffer;
  key_version: number;
}

export interface OpenedUser extends StoredNames {
  id: string;
  platformId: string;
  /** Whether the blind indexes match the encrypted names. */
  isIndexed: boolean;
}

/** Decrypts the identifiers of users who are not erased. */
export async function openUsers(
  database: Database,
  keys: KeySet,
  rows: readonly UserRow[],
): Promise<OpenedUser[]> {
  const personalDataKeys = await database.withoutPlatform(keys.personalData);
  return rows.map((row) => {
    const owner = { platformId: row.platform_id, userId: row.id };
    const wrapped = { dataKey: row.data_key, keyVersion: row.key_version };
    const names = decryptNames(row.encrypted, unwrapDataKey(wrapped, owner, personalDataKeys.ring), owner);
    const { memberId, email } = names;
    const memberIdIndex = blindIndex(personalDataKeys, row.platform_id, { memberId });
    const emailIndex = email === null ? null : blindIndex(personalDataKeys, row.platform_id, { email });
    const hasEmailIndex = emailIndex === row.email_index || isEqualIndex(emailIndex, row.email_index);
    const isIndexed = hasEmailIndex && isEqualIndex(memberIdIndex, row.member_id_index);
    return { ...names, id: row.id, platformId: row.platform_id, isIndexed };
  });
}
