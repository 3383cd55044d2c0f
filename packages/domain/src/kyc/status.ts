import * as z from "zod";
import { openEnum } from "../input/open-enum.ts";

/** The unified primary status (interface, section 3): closed. */
export const kycStatus = z.enum(["PENDING", "PENDING_APPROVAL", "APPROVED", "REJECTED"]);
export type KycStatus = z.output<typeof kycStatus>;

/** The provider's raw sub-statuses that are known, and therefore mapped. */
export const knownSubStatuses = ["not_submitted", "pending_approval", "approved", "rejected"] as const;

/** The provider's raw sub-status (interface, section 3): open. */
export const kycSubStatus = openEnum(knownSubStatuses);

const mapping = new Map<string, KycStatus>(
  Object.entries({
    not_submitted: "PENDING",
    pending_approval: "PENDING_APPROVAL",
    approved: "APPROVED",
    rejected: "REJECTED",
  } satisfies Record<(typeof knownSubStatuses)[number], KycStatus>),
);

/** The unified status of a raw one (gap G10); null for a value that nobody has mapped yet. */
export function unifiedStatus(subStatus: string): KycStatus | null {
  return mapping.get(subStatus) ?? null;
}
