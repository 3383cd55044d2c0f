import type { KycRecords } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { asks } from "./ask-now.ts";
import { attempts } from "./attempts.ts";
import { claims } from "./claim.ts";
import { previews } from "./preview.ts";
import { lookups } from "./read.ts";
import { steps } from "./steps.ts";

export interface KycRecordsOptions {
  keys: Keys;
  /** How long an attempt owns its record, in seconds; longer than a call to the provider may take. 30 by default. */
  leaseSeconds?: number | undefined;
  /** The age after which an unsettled record is held for an operator, in seconds. A day by default. */
  holdAfterSeconds?: number | undefined;
}

/** The KYC records of platforms, each with its history; see the port for the contract. */
export function kycRecordsRepository(
  database: Database,
  { keys, leaseSeconds = 30, holdAfterSeconds = 86_400 }: KycRecordsOptions,
): KycRecords {
  const keyGate = createKeyGate(database, keys);
  const lease = `${leaseSeconds} seconds`;
  return {
    ...claims(database, { keyGate, lease }),
    ...attempts(database, { keyGate, lease, holdAfter: `${holdAfterSeconds} seconds` }),
    ...lookups(database, keyGate),
    ...previews(database, keyGate),
    ...steps(database),
    ...asks(database),
  };
}
