import * as z from "zod";
import { openEnum } from "../input/open-enum.ts";

/** The unified primary status (interface, section 3), a closed enumeration. */
export const kycStatus = z.enum(["PENDING", "PENDING_APPROVAL", "APPROVED", "REJECTED"]);
export type KycStatus = z.output<typeof kycStatus>;

/** The provider's known raw sub-statuses, each mapped to a unified status. */
export const knownSubStatuses = ["not_submitted", "pending_approval", "approved", "rejected"] as const;

/** The provider's raw sub-status (interface, section 3), an open enumeration. */
export const kycSubStatus = openEnum(knownSubStatuses);

const mapping = new Map<string, KycStatus>(
  Object.entries({
    not_submitted: "PENDING",
    pending_approval: "PENDING_APPROVAL",
    approved: "APPROVED",
    rejected: "REJECTED",
  } satisfies Record<(typeof knownSubStatuses)[number], KycStatus>),
);

/** The unified status of a verdict: the adapter's, or the status of a known raw value; null without a mapping. */
export function unifiedStatus({ subStatus, status }: { subStatus: string; status?: KycStatus | undefined }) {
  return status ?? mapping.get(subStatus) ?? null;
}
