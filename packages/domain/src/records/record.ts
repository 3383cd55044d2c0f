import * as z from "zod";
import { moment } from "../input/formats.ts";
import { kycHistoryEntry, kycRecordId } from "../kyc/lookup.ts";
import { settlements } from "../kyc/record.ts";
import { kycStatus } from "../kyc/status.ts";
import { platformId } from "../platforms/platform.ts";

const settlement = z.enum(settlements);

/** A KYC record and its next attempt, for operators. Times are those of the database's clock. */
export const recordSummary = z
  .object({
    kycRecordId,
    platformId,
    settlement,
    attempt: z.int().meta({ description: "The number of the latest attempt, from 1." }),
    step: z.enum(["send", "ask"]).meta({ description: "How the next attempt begins." }),
    notFound: z.int().meta({ description: "How often in a row the provider did not know the reference." }),
    createdAt: moment,
    dueAt: moment.nullable().meta({ description: "When a worker takes it next; null when none will." }),
    leaseUntil: moment
      .nullable()
      .meta({ description: "Until when the latest attempt owns it; null once that has ended." }),
    heldAt: moment
      .nullable()
      .meta({ description: "Since when it waits for an operator; null while it does not." }),
    readAt: moment.meta({ description: "When this was read." }),
  })
  .meta({ id: "RecordSummary" });
export type RecordSummary = z.output<typeof recordSummary>;

/** All that an operator may see of a record: never what was submitted. */
export const recordDetails = recordSummary
  .extend({
    externalUserId: z.string(),
    status: kycStatus.nullable(),
    subStatus: z.string().nullable(),
    cardAccountId: z.string().nullable(),
    revision: z.int().nullable().meta({ description: "The provider's count of its decisions." }),
    history: z.array(kycHistoryEntry.extend({ settlement })).meta({ description: "Oldest first." }),
  })
  .meta({ id: "RecordDetails" });
export type RecordDetails = z.output<typeof recordDetails>;
