import type { UserNames } from "@cardbridge/domain";
import { blindIndex } from "./blind-index.ts";
import { type Owner, wrapDataKey } from "./data-key.ts";
import type { PersonalDataKeys } from "./keys.ts";
import { sealData } from "./personal-data.ts";

/**
 * The columns of a user that depend on personal data: the names encrypted under the user's data key, that key
 * wrapped, and the blind indexes of both names (gap G17).
 */
export function userColumns(
  keys: PersonalDataKeys,
  owner: Owner,
  { memberId, email }: UserNames,
  dataKey: Buffer,
) {
  const { platformId, userId } = owner;
  return {
    memberIdIndex: blindIndex(keys, platformId, { memberId }),
    emailIndex: blindIndex(keys, platformId, { email }),
    sealed: sealData({ memberId, email }, dataKey, { platformId, table: "users", rowId: userId }),
    ...wrapDataKey(dataKey, owner, keys.ring),
  };
}
