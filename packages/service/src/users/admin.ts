import type { UserAdmin } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { importUsers } from "./import-batch.ts";
import { relinkUser } from "./relink-user.ts";
import { searchUsers } from "./search-rows.ts";
import { showUser } from "./show-user.ts";

/** Manages a platform's users for operators; see the port for the contract. */
export function userAdmin(database: Database, keys: KeySet): UserAdmin {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    find: async (platforms, name) => searchUsers(database, await verifiedKeys(), platforms, name),
    show: async (platformId, name) => showUser(database, await verifiedKeys(), platformId, name),

    async relink(platformId, externalUserId, names) {
      const personalDataKeys = await verifiedKeys();
      const owner = { platformId, userId: externalUserId };
      const isRelinked = await relinkUser(database, personalDataKeys, owner, names);
      return isRelinked ? showUser(database, personalDataKeys, platformId, { externalUserId }) : null;
    },

    import: async (platformId, users, by) =>
      importUsers(database, await verifiedKeys(), { platformId, users, by }),
  };
}
