import { Failure, orderedVerdict } from "@cardbridge/domain";
import * as z from "zod";
import { defineOperation } from "../operation/define.ts";
import { observeChange, observeUnmapped } from "./observe.ts";

/** Applies a verdict from a provider event. Events may arrive repeatedly, late and in any order. */
export const recordProviderUpdate = defineOperation({
  id: "kyc.recordProviderUpdate",
  kind: "mutation",
  summary: "Apply a provider event",
  description: "Applies the verdict of a provider event to its record, if the verdict is new.",
  documented: false,
  actors: ["provider"],
  scopes: [],
  platform: false,
  idempotent: false,
  binary: false,
  input: z.object({ reference: z.string(), userReference: z.string(), verdict: orderedVerdict }),
  rules: [],
  output: z.object({ kycRecordId: z.string() }),
  example: {
    input: {
      reference: "kyc_01jexample0000000000000000",
      userReference: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
      verdict: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_0a1b2c3d", revision: 2 },
    },
    output: { kycRecordId: "kyc_01jexample0000000000000000" },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run({ kycRecords, observer }, _call, { verdict, ...reference }) {
    const change = await kycRecords.recordProviderUpdate(reference, verdict);
    if (!change) {
      observer.observe("provider_foreign_answer", { operation: "event", reason: "foreign" });
      throw new Failure("KYC_RECORD_NOT_FOUND");
    }
    observeUnmapped(observer, change.record, verdict);
    observeChange(observer, change);
    return { data: { kycRecordId: change.record.kycRecordId } };
  },
});
