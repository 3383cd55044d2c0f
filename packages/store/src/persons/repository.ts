import type { Persons } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { KeySet } from "../encryption/keys.ts";

/** The persons who called through internal apps; see the port for the contract. */
export function personsRepository(_database: Database, _keys: KeySet): Persons {
  const notBuilt = () => {
    throw new Error("not built");
  };
  return { list: notBuilt, block: notBuilt, names: notBuilt, platforms: notBuilt };
}
