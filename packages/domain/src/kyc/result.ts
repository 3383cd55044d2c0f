import * as z from "zod";
import { messages, type ResultCode } from "../errors/failure.ts";
import type { KycRecord } from "./record.ts";
import { kycStatus, kycSubStatus } from "./status.ts";

const resultCodes = ["KYC_SUBMITTED", "KYC_ACCEPTED", "KYC_REFUSED"] as const satisfies readonly ResultCode[];

/** The response data of a KYC submission (interface, section 2.4). */
export const kycResult = z
  .object({
    success: z.boolean().meta({ description: "Whether processing succeeded." }),
    code: z.enum(resultCodes).meta({ description: "Platform response code.", "x-decision": "G13" }),
    message: z.string().meta({ description: "Platform response message." }),
    externalUserId: z.string().meta({ description: "The user's id at the card provider. It never changes." }),
    kycRecordId: z.string().meta({ description: "The id of this KYC record." }),
    status: kycStatus
      .nullable()
      .meta({ description: "The unified primary KYC status; null if the raw status has no mapping." }),
    subStatus: kycSubStatus
      .nullable()
      .meta({ description: "The provider's raw status. Tolerate unknown values." }),
    cardAccountId: z
      .string()
      .nullable()
      .meta({ description: "The provider's card account id; null if the provider returned none." }),
  })
  .meta({ id: "KycResult" });

export type KycResult = z.output<typeof kycResult>;

const codes = {
  unsettled: "KYC_ACCEPTED",
  answered: "KYC_SUBMITTED",
  refused: "KYC_REFUSED",
} as const satisfies Record<KycRecord["settlement"], ResultCode>;

/** Converts a record into its result. An unsettled record has the provisional status PENDING (gap G14). */
export function toKycResult(record: KycRecord): KycResult {
  const code = codes[record.settlement];
  return {
    success: record.settlement !== "refused",
    code,
    message: messages[code],
    externalUserId: record.externalUserId,
    kycRecordId: record.kycRecordId,
    status: record.settlement === "unsettled" ? (record.status ?? "PENDING") : record.status,
    subStatus: record.subStatus,
    cardAccountId: record.cardAccountId,
  };
}
