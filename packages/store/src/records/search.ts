import type { RecordSearch } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { KeySet } from "../encryption/keys.ts";

/** Reads records over several platforms; see the port for the contract. */
export function recordSearch(_database: Database, _keys: KeySet): RecordSearch {
  const notBuilt = () => {
    throw new Error("not built");
  };
  return { search: notBuilt, counts: notBuilt, changes: notBuilt };
}
