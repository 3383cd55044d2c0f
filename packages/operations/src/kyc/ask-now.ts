import { Failure } from "@cardbridge/domain";
import * as z from "zod";
import { defineOperation } from "../operation/define.ts";

const byReference = z.object({ reference: z.string(), userReference: z.string() });
const byStep = z.object({ step: z.string(), id: z.string() });

/** Takes a provider event without an order as a reason to ask: the worker asks for the current state. */
export const askProviderNow = defineOperation({
  id: "kyc.askNow",
  kind: "mutation",
  summary: "Ask the provider soon",
  description: "Makes a record due, so that the worker asks the provider for its state.",
  documented: false,
  actors: ["provider"],
  scopes: [],
  platform: false,
  idempotent: false,
  binary: false,
  input: z.union([byReference, byStep]),
  rules: [],
  output: z.object({ kycRecordId: z.string() }),
  example: {
    input: { reference: "kyc_01jexample0000000000000000", userReference: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k" },
    output: { kycRecordId: "kyc_01jexample0000000000000000" },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  async run({ kycRecords, observer }, _call, about) {
    const asked = await kycRecords.askNow(about);
    if (!asked) {
      observer.observe("provider_foreign_answer", { operation: "event", reason: "foreign" });
      throw new Failure("KYC_RECORD_NOT_FOUND");
    }
    // The running attempt may have asked before the event's change, so the provider has to send the event again.
    if (asked.state === "leased") throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 });
    return { data: { kycRecordId: asked.kycRecordId } };
  },
});
