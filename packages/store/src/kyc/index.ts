import type { KycRecords } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { attempts } from "./attempts.ts";
import { claims } from "./claim.ts";
import { reading } from "./reading.ts";

export interface KycRecordsOptions {
  /** The secret of fingerprints; with another one, bodies that were equal are taken for different ones. */
  fingerprintKey: string;
  /** How long an attempt owns its record, in seconds; longer than a call to the provider may take. 30. */
  leaseSeconds?: number | undefined;
  /** After how long a record that could not be settled is held for people, in seconds. A day. */
  holdAfterSeconds?: number | undefined;
}

/** The KYC records of platforms, each with its history; see the port for the contract. */
export function kycRecordsRepository(
  database: Database,
  { fingerprintKey, leaseSeconds = 30, holdAfterSeconds = 86_400 }: KycRecordsOptions,
): KycRecords {
  const lease = `${leaseSeconds} seconds`;
  return {
    ...claims(database, { lease, fingerprintKey }),
    ...attempts(database, { lease, holdAfter: `${holdAfterSeconds} seconds` }),
    ...reading(database),
  };
}
