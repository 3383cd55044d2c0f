import type { Evidence } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { notBuilt } from "../not-built.ts";
import { readCovered } from "./covered.ts";

/** See the port for the contract. */
export function evidenceRepository(database: Database, keys: KeySet): Evidence {
  const verifiedKeys = createVerifiedKeys(database, keys);
  const { open, opening, uses, restrictedReasons } = notBuilt<Evidence>();
  return {
    ...{ open, opening, uses, restrictedReasons },
    covered: async (kycRecordId) => readCovered(database, (await verifiedKeys()).ring, kycRecordId),
  };
}
