import * as z from "zod";
import { messages, type ResultCode } from "../errors/failure.ts";
import type { KycRecord } from "./record.ts";
import { kycStatus, kycSubStatus } from "./status.ts";

const resultCodes = ["KYC_SUBMITTED", "KYC_ACCEPTED", "KYC_REFUSED"] as const satisfies readonly ResultCode[];

/** The response data of a KYC submission (interface, section 2.4). */
export const kycResult = z
  .object({
    success: z.boolean().meta({ description: "Whether processing succeeded." }),
    code: z.enum(resultCodes).meta({ description: "What became of the submission.", "x-decision": "G13" }),
    message: z.string().meta({ description: "The code in words." }),
    externalUserId: z
      .string()
      .meta({ description: "The user's id towards the card provider; stable for ever." }),
    kycRecordId: z.string().meta({ description: "The id of this KYC record." }),
    status: kycStatus
      .nullable()
      .meta({ description: "The unified status; null while no value of the provider maps." }),
    subStatus: kycSubStatus
      .nullable()
      .meta({ description: "The provider's raw status. Tolerate values that you do not know." }),
    cardAccountId: z
      .string()
      .nullable()
      .meta({ description: "The provider's card account; null until there is one." }),
  })
  .meta({ id: "KycResult" });

export type KycResult = z.output<typeof kycResult>;

const codes = {
  unsettled: "KYC_ACCEPTED",
  answered: "KYC_SUBMITTED",
  refused: "KYC_REFUSED",
} as const satisfies Record<KycRecord["settlement"], ResultCode>;

/** How a record is shown. An unsettled one shows a provisional PENDING (gap G14). */
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
