import type { KycRecords } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { Keys } from "../sealing/keys.ts";
import { attempts } from "./attempts.ts";
import { claims } from "./claim.ts";
import { reading } from "./reading.ts";

export interface KycRecordsOptions {
  keys: Keys;
  /** How long an attempt owns its record, in seconds; longer than a call to the provider may take. 30. */
  leaseSeconds?: number | undefined;
  /** After how long a record that could not be settled is held for people, in seconds. A day. */
  holdAfterSeconds?: number | undefined;
}

/** The KYC records of platforms, each with its history; see the port for the contract. */
export function kycRecordsRepository(
  database: Database,
  { keys, leaseSeconds = 30, holdAfterSeconds = 86_400 }: KycRecordsOptions,
): KycRecords {
  const lease = `${leaseSeconds} seconds`;
  return {
    ...claims(database, { lease, keys }),
    ...attempts(database, { lease, keys, holdAfter: `${holdAfterSeconds} seconds` }),
    ...reading(database, keys),
  };
}
