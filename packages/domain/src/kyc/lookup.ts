import * as z from "zod";
import { identifierFields, type OneIdentifier } from "../identity/identifier.ts";
import { narrowInput } from "../input/narrow-input.ts";
import { kycResult } from "./result.ts";
import { kycStatus, kycSubStatus } from "./status.ts";

/** Parameters of reading a user's latest KYC result: the card list's two identifiers (an extension, gap G24). */
export const kycLookupQuery = narrowInput<OneIdentifier>()(
  z.object(identifierFields).meta({ id: "KycLookupQuery" }),
);

/** Names a KYC record. */
export const kycRecordId = z
  .stringFormat("kyc-record-id", /^[0-9A-Za-z_-]{1,64}$/)
  .meta({ description: "The id that the submission was answered with." });

/** Parameters of reading one KYC record with its history (an extension, gap G24). */
export const kycHistoryQuery = z
  .object({
    kycRecordId,
  })
  .meta({ id: "KycHistoryQuery" });

/** One thing that was learned of a record, and when. */
export const kycHistoryEntry = z
  .object({
    status: kycStatus.nullable().meta({ description: "The unified status from then on." }),
    subStatus: kycSubStatus.nullable().meta({ description: "The provider's raw status from then on." }),
    source: z.enum(["submission", "provider", "event", "person"]).meta({
      description: "How it became known: by submitting, by the provider's answer, by its event, by a person.",
    }),
    observedAt: z.iso.datetime().meta({ description: "When it became known here; RFC 3339, in UTC." }),
  })
  .meta({ id: "KycHistoryEntry" });

export type KycHistoryEntry = z.output<typeof kycHistoryEntry>;

/** A record's result with everything that was learned of it, oldest first. */
export const kycHistory = z
  .object({ ...kycResult.shape, history: z.array(kycHistoryEntry) })
  .meta({ id: "KycHistory" });
