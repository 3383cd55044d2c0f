import type { KycStatus, KycVerdict } from "@cardbridge/domain";
import type { Cardholder } from "./wire.ts";

/** Airwallex's cardholder statuses, with the unified status of each (interface, section 3). */
const cardholderStatuses: ReadonlyMap<string, KycStatus> = new Map([
  // Information is missing: Airwallex requests it from the account's owner.
  ["INCOMPLETE", "PENDING"],
  ["PENDING", "PENDING_APPROVAL"],
  ["READY", "APPROVED"],
  ["DISABLED", "REJECTED"],
  ["DELETED", "REJECTED"],
]);

/**
 * Maps a cardholder to a verdict. The raw status is passed on unchanged; an unlisted status has no unified status.
 * An approved cardholder is the card account. Airwallex has no revision, time or reason.
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
