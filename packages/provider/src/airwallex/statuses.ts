import type { KycStatus, KycVerdict } from "@cardbridge/domain";
import type { Cardholder } from "./wire.ts";

/** Airwallex's statuses of a cardholder, with the unified status of each (interface, section 3). */
const cardholderStatuses: ReadonlyMap<string, KycStatus> = new Map([
  // Information is missing: Airwallex asks the account's owner for it.
  ["INCOMPLETE", "PENDING"],
  ["PENDING", "PENDING_APPROVAL"],
  ["READY", "APPROVED"],
  ["DISABLED", "REJECTED"],
  ["DELETED", "REJECTED"],
]);

/**
 * Maps a cardholder to a verdict. The raw status passes unchanged; one that is not in the table has no unified status.
 * The cardholder is the card account once it can have cards. Airwallex has no revision, time or reason.
 */
export function toVerdict({ cardholder_id, status }: Cardholder): KycVerdict {
  const unified = cardholderStatuses.get(status);
  return {
    outcome: "answered",
    subStatus: status,
    ...(unified && { status: unified }),
    cardAccountId: unified === "APPROVED" ? cardholder_id : null,
    revision: null,
  };
}
