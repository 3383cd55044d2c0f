import type { KycRecords } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { attempts } from "./attempts.ts";
import { recordCreation } from "./create-or-replay.ts";
import { previews } from "./preview.ts";
import { lookups } from "./read.ts";
import { steps } from "./steps.ts";

export interface KycRecordsOptions {
  keys: KeySet;
  /** How long an attempt owns its record, in seconds. Must exceed the longest call to the provider. Default: 30. */
  leaseSeconds?: number | undefined;
  /** The longest call to the provider, in seconds. Default: 10. */
  callSeconds?: number | undefined;
  /** The age in seconds after which an unresolved record needs attention. Default: one day. */
  holdAfterSeconds?: number | undefined;
}

/** The KYC records of platforms, each with its history; see the port for the contract. */
export function kycRecordsRepository(
  database: Database,
  { keys, leaseSeconds = 30, callSeconds = 10, holdAfterSeconds = 86_400 }: KycRecordsOptions,
): KycRecords {
  const verifiedKeys = createVerifiedKeys(database, keys);
  const lease = `${leaseSeconds} seconds`;
  const callMs = callSeconds * 1_000;
  return {
    ...recordCreation(database, { verifiedKeys, lease, sendWithinMs: leaseSeconds * 1_000 - callMs }),
    ...attempts(database, { verifiedKeys, lease, callMs, holdAfter: `${holdAfterSeconds} seconds` }),
    ...lookups(database, verifiedKeys),
    ...previews(database, verifiedKeys),
    ...steps(database),
  };
}
