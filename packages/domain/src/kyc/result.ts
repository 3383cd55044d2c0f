import * as z from "zod";
import { Failure, messages, type ResultCode } from "../errors/failure.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { explanationFields, showExplanation } from "./reasons.ts";
import { isDeclined, type KycRecord, type KycState } from "./record.ts";
import { kycStatus, kycSubStatus } from "./status.ts";

export const resultCodes = [
  "KYC_SUBMITTED",
  "KYC_ACCEPTED",
  "KYC_REFUSED",
] as const satisfies readonly ResultCode[];

/** The response data of a KYC submission (interface, section 2.4). */
export const kycResult = z
  .object({
    success: z.boolean().meta({ description: "Whether processing succeeded." }),
    code: extensibleEnum(resultCodes).meta({ description: "Platform response code. Tolerate new codes." }),
    message: z.string().meta({ description: "Platform response message." }),
    externalUserId: z.string().meta({
      description:
        "The random id that the service creates for the user at the first submission, and under which the card " +
        "provider knows the user. It never changes.",
    }),
    kycRecordId: z.string().meta({ description: "The id of this KYC record." }),
    status: kycStatus.nullable().meta({
      description:
        "The unified primary KYC status. PENDING also while the provider's answer is unknown (KYC_ACCEPTED). An unknown " +
        "subStatus leaves it at the last mapped value, or null if there is none. Null for a refusal (KYC_REFUSED).",
    }),
    subStatus: kycSubStatus
      .nullable()
      .meta({ description: "The provider's raw status. Tolerate unknown values." }),
    cardAccountId: z
      .string()
      .nullable()
      .meta({ description: "The provider's card account id; null if the provider returned none." }),
    ...explanationFields,
  })
  .meta({ id: "KycResult" });

export type KycResult = z.output<typeof kycResult>;

/** The code of a record, by its resolution. */
export const codeOf = {
  unresolved: "KYC_ACCEPTED",
  answered: "KYC_SUBMITTED",
  refused: "KYC_REFUSED",
} as const satisfies Record<KycRecord["resolution"], ResultCode>;

/** The status that callers see after a change. An unresolved record has the provisional status PENDING (G14). */
export function statusOf({ resolution, status }: Pick<KycState, "resolution" | "status">) {
  return resolution === "unresolved" ? (status ?? "PENDING") : status;
}

/** Converts a record into its result. */
export function toKycResult(record: KycState & Pick<KycRecord, "kycRecordId" | "externalUserId">): KycResult {
  const code = codeOf[record.resolution];
  return {
    success: record.resolution !== "refused",
    code,
    message: messages[code],
    externalUserId: record.externalUserId,
    kycRecordId: record.kycRecordId,
    status: statusOf(record),
    subStatus: record.subStatus,
    cardAccountId: record.cardAccountId,
    ...explain(record),
  };
}

/** The fields that explain a refusal or a rejection; empty for other states. */
export function explain(state: Pick<KycState, "resolution" | "status" | "explanation">) {
  return isDeclined(state) ? showExplanation(state.explanation) : {};
}

/**
 * The failure of a refused submission (G15, G28). Each reason is a violation. The error body also contains the record's
 * other fields.
 */
export function refusalOf(record: KycRecord, replayed: boolean): Failure {
  const { kycRecordId, externalUserId, subStatus, cardAccountId } = record;
  const { reasons, final } = showExplanation(record.explanation);
  const violations = reasons.map(({ code, field, message }) => ({
    path: field === null ? [] : field.split("/").slice(1),
    rule: code,
    message,
  }));
  const refused = { externalUserId, subStatus, cardAccountId, final };
  return new Failure("KYC_REFUSED", { kycRecordId, replayed, violations, refused });
}
