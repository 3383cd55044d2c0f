import type { UserAdmin } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { importUsers } from "./import.ts";
import { relinkUser } from "./relink.ts";
import { showUser } from "./show.ts";

/** Manages a platform's users for operators; see the port for the contract. */
export function userAdmin(database: Database, keys: Keys): UserAdmin {
  const keyGate = createKeyGate(database, keys);
  return {
    show: async (platformId, name) => showUser(database, await keyGate(), platformId, name),

    async relink(platformId, externalUserId, names) {
      const personalDataKeys = await keyGate();
      const owner = { platformId, userId: externalUserId };
      const isRelinked = await relinkUser(database, personalDataKeys, owner, names);
      return isRelinked ? showUser(database, personalDataKeys, platformId, { externalUserId }) : null;
    },

    import: async (platformId, users, by) =>
      importUsers(database, await keyGate(), { platformId, users, by }),
  };
}
