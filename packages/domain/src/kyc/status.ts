import { z } from "zod";
import { openEnum } from "../open-enum.ts";

/** The unified primary status (interface, section 3): closed. */
export const kycStatus = z.enum(["PENDING", "PENDING_APPROVAL", "APPROVED", "REJECTED"]);
export type KycStatus = z.output<typeof kycStatus>;

/** The provider's raw sub-status (interface, section 3): open. */
export const kycSubStatus = openEnum(["not_submitted", "pending_approval", "approved", "rejected"]);

const mapping = new Map<string, KycStatus>([
  ["not_submitted", "PENDING"],
  ["pending_approval", "PENDING_APPROVAL"],
  ["approved", "APPROVED"],
  ["rejected", "REJECTED"],
]);

/** The unified status of a raw one (gap G10); null for a value that nobody has mapped yet. */
export function unifiedStatus(subStatus: string): KycStatus | null {
  return mapping.get(subStatus) ?? null;
}
