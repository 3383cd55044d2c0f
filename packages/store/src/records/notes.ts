import type { RecordNotes } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { KeySet } from "../encryption/keys.ts";

/** The notes of operators about records; see the port for the contract. */
export function recordNotes(_database: Database, _keys: KeySet): RecordNotes {
  const notBuilt = () => {
    throw new Error("not built");
  };
  return { list: notBuilt, add: notBuilt };
}
