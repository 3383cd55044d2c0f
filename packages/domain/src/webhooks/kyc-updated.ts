import type { KycReasonCode } from "../kyc/reasons.ts";
import { isDeclined, type KycState } from "../kyc/record.ts";
import { codeOf } from "../kyc/result.ts";
import type { KycUpdated } from "./events.ts";

/** One row of a record's history: its state after a change. */
export interface ChangedState
  extends Pick<KycState, "settlement" | "status" | "subStatus" | "cardAccountId" | "explanation"> {
  kycRecordId: string;
  externalUserId: string;
  /** The number of the change within its record, from 1. */
  sequence: number;
}

/**
 * Converts a change into the data of `kyc.updated` (gap G32). As in a response, an unsettled record has the provisional
 * status PENDING (gap G14), and only a refusal or a rejection has reasons.
 */
export function toKycUpdated({ settlement, explanation, ...change }: ChangedState): KycUpdated {
  const { kycRecordId, externalUserId, sequence, status, subStatus, cardAccountId } = change;
  const reasons: KycReasonCode[] = isDeclined({ settlement, status })
    ? (explanation?.reasons ?? []).map(({ code }) => code)
    : [];
  return {
    ...{ kycRecordId, externalUserId, sequence },
    code: codeOf[settlement],
    status: settlement === "unsettled" ? (status ?? "PENDING") : status,
    ...{ subStatus, cardAccountId, reasons },
  };
}
