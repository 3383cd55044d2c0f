import { blindIndex } from "./blind-index.ts";
import { type Owner, wrapDataKey } from "./data-key.ts";
import type { Keys } from "./keys.ts";
import { sealData } from "./personal-data.ts";

/**
 * What a row of users holds of a person: the names sealed under the user's data key, that key wrapped, and
 * the blind indexes that the user is found by (gap G17).
 */
export function sealUser(
  keys: Keys,
  owner: Owner,
  { memberId, email }: { memberId: string; email: string },
  dataKey: Buffer,
) {
  const { platformId, userId } = owner;
  return {
    memberIdIndex: blindIndex(keys.indexes, platformId, { memberId }),
    emailIndex: blindIndex(keys.indexes, platformId, { email }),
    sealed: sealData({ memberId, email }, dataKey, { platformId, table: "users", rowId: userId }),
    ...wrapDataKey(dataKey, owner, keys.ring),
  };
}
