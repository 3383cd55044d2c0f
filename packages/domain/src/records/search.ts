import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { personId } from "../identity/person-id.ts";
import { moment, searchedMoment } from "../input/formats.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { searchCursor } from "../input/search-cursor.ts";
import { documentRequest } from "../kyc/document-requests.ts";
import { readingFields } from "../kyc/reading.ts";
import { kycReasonCodes } from "../kyc/reasons.ts";
import { resolutions } from "../kyc/record.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { kycStatus } from "../kyc/status.ts";
import { role } from "../persons/role.ts";
import { platformIds } from "../platforms/inputs.ts";
import { platformId } from "../platforms/platform.ts";
import { attemptSummary } from "./attempt.ts";

/** The most rows that one page of a search reads. */
export const maxRowsOfSearch = 50_000;

/** The most decided records that a count counts. */
export const maxCounted = 10_000;

/** The filters of a search. Absent filters match every record. */
export const recordFilter = z.object({
  platformIds,
  open: z
    .boolean()
    .optional()
    .meta({ description: "Whether the provider has not decided: workers or operators still act." }),
  needsAttention: z.boolean().optional().meta({ description: "Whether an operator has to act." }),
  requested: z
    .boolean()
    .optional()
    .meta({ description: "Whether the provider asks for a document that the platform has not answered." }),
  resolution: z.enum(resolutions).optional(),
  status: kycStatus.optional(),
  documentExpiry: z
    .enum(["expiring", "expired"])
    .optional()
    .meta({ description: "Approved records whose identity document expires soon or has expired." }),
  reason: z
    .enum(kycReasonCodes)
    .optional()
    .meta({ description: "A reason of the refusal or the rejection." }),
  assignee: z
    .union([personId, z.literal("none"), z.literal("me")])
    .optional()
    .meta({
      description:
        "The person to whom the record is assigned; `me` for the caller and the caller's roles; `none` for records that " +
        "are assigned to nobody.",
    }),
  createdAfter: searchedMoment.optional(),
  createdBefore: searchedMoment.optional(),
});
export type RecordFilter = z.output<typeof recordFilter>;

export const recordSearchQuery = recordFilter.extend({
  order: z.enum(["oldest", "newest"]).default("newest"),
  limit: z.int().min(1).max(100).default(50),
  cursor: searchCursor.optional(),
});
export type RecordSearchQuery = z.output<typeof recordSearchQuery>;

/** A record of a search, without personal data. Times are from the database's clock. */
const recordRow = z
  .object({
    kycRecordId,
    platformId,
    platformName: z.string(),
    externalUserId: z.string(),
    resolution: z.enum(resolutions),
    status: kycStatus.nullable(),
    subStatus: z.string().nullable(),
    reasons: z.array(extensibleEnum(kycReasonCodes)),
    requested: z
      .array(documentRequest.shape.documentType)
      .meta({ description: "The documents that the provider asks for and the platform has not answered." }),
    documentExpiry: readingFields.documentExpiry,
    renews: readingFields.renews,
    createdAt: moment,
    dueAt: moment.nullable(),
    needsAttentionSince: moment.nullable(),
    lastAttempt: attemptSummary.nullable(),
    assignee: namedPerson.nullable(),
    assignedRole: role.nullable(),
    /** Sent with the next assignment; of two concurrent assignments, one is refused. */
    assignmentVersion: z.int(),
  })
  .meta({ id: "RecordRow" });
export type RecordRow = z.output<typeof recordRow>;

export const recordSearchPage = z
  .object({
    records: z.array(recordRow),
    nextCursor: searchCursor.nullable().meta({ description: "Null after the last page." }),
    narrow: z.boolean().meta({
      description:
        "Whether the search stopped after 50,000 rows before the page was full. Narrow the filter, or continue.",
    }),
    asOf: moment.meta({ description: "The first page's time: later records are on no page." }),
  })
  .meta({ id: "RecordSearchPage" });

const counted = z.object({
  count: z.int(),
  more: z.boolean().meta({ description: "Whether there are more than this number." }),
});

export const recordCountsQuery = z.object({ platformIds });

/** The numbers of records of some platforms. Those of open records are exact. */
export const recordCounts = z
  .object({
    needsAttention: z.int(),
    open: z.int(),
    assignedToMe: z.int().meta({
      description: "The open records of the caller and of the caller's roles; 0 for a call without a person.",
    }),
    oldestOpenAt: moment.nullable().meta({ description: "When the oldest open record was created." }),
    decided: z.object({ APPROVED: counted, REJECTED: counted, refused: counted }),
    documentExpiry: z
      .object({ expiring: counted, expired: counted })
      .meta({ description: "The approved records whose identity document expires soon or has expired." }),
  })
  .meta({ id: "RecordCounts" });
export type RecordCounts = z.output<typeof recordCounts>;
