import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { moment } from "../input/formats.ts";
import { documentRequest } from "../kyc/document-requests.ts";
import { kycChange } from "../kyc/lookup.ts";
import { readingFields } from "../kyc/reading.ts";
import { kycExplanation } from "../kyc/reasons.ts";
import { resolutions } from "../kyc/record.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { kycStatus } from "../kyc/status.ts";
import { stepName, stepResult } from "../kyc/steps.ts";
import { role } from "../persons/role.ts";
import { platformId } from "../platforms/platform.ts";
import { webhookDelivery } from "../webhooks/delivery.ts";
import { recordNext } from "./situations.ts";
import { evidenceOpening, maxRecordViews, recordView } from "./view.ts";

const resolution = z.enum(resolutions);

/** Sent with a decision, so that it is refused if the state has changed. */
const version = z
  .string()
  .meta({ description: "The version of its state. Each change of the state makes another one." });

/** Who works on a record, and what colleagues noted. */
const work = {
  assignee: namedPerson.nullable().meta({ description: "Who works on it; null for nobody." }),
  assignedRole: role.nullable().meta({
    description: "The role to which it is assigned in place of a person; null without one.",
  }),
  assignedAt: moment.nullable().meta({
    description: "When it was last assigned or released; null if it never was.",
  }),
  assignmentVersion: z.int().meta({ description: "The version to send with the next assignment." }),
  notes: z.int().meta({ description: "The number of notes." }),
};

/** A KYC record and its next attempt, for operators. Times are from the database's clock. */
export const recordSummary = z
  .object({
    kycRecordId,
    platformId,
    resolution,
    attempt: z.int().meta({ description: "The number of the latest attempt, starting at 1." }),
    step: z.enum(["send", "ask"]).meta({ description: "How the next attempt starts." }),
    notFound: z.int().meta({ description: "The number of consecutive not-found replies." }),
    createdAt: moment,
    dueAt: moment.nullable().meta({ description: "When a worker attempts it next; null for never." }),
    leaseUntil: moment
      .nullable()
      .meta({ description: "When the lease of the latest attempt expires; null without a lease." }),
    needsAttentionSince: moment.nullable().meta({
      description: "When workers stopped their attempts and the record needed attention; null otherwise.",
    }),
    readAt: moment.meta({ description: "When this record was read." }),
  })
  .meta({ id: "RecordSummary" });
export type RecordSummary = z.output<typeof recordSummary>;

/** What changes while a record is open, for an app that refreshes it. Reading it is not audited. */
export const recordState = recordSummary
  .pick({
    kycRecordId: true,
    platformId: true,
    resolution: true,
    attempt: true,
    dueAt: true,
    leaseUntil: true,
    needsAttentionSince: true,
    readAt: true,
  })
  .extend({
    status: kycStatus.nullable(),
    subStatus: z.string().nullable(),
    documentExpiry: readingFields.documentExpiry,
    version,
    ...work,
  })
  .meta({ id: "RecordState" });
export type RecordState = z.output<typeof recordState>;

/** The stored result of a call to the provider, for operators: ids of the provider, and its unknown error codes. */
const providerStep = z.object({ name: stepName, result: stepResult, storedAt: moment });

/** A change of a record, with who decided it. Platforms do not see the operators. */
const recordHistoryEntry = kycChange.extend({
  by: z.string().nullable().meta({ description: "The actor of a manual decision; null for other sources." }),
  proposedBy: z
    .string()
    .nullable()
    .meta({ description: "The actor who proposed it, if another person confirmed it; null otherwise." }),
});

/** A change of a request of the provider, as it was after the change. */
const requestHistoryEntry = z.object({
  ...documentRequest.pick({ documentRequestId: true, documentType: true, dueAt: true, status: true }).shape,
  ...kycChange.pick({ source: true, observedAt: true }).shape,
});

/** When the document of an approved record was first seen to expire, or to have expired. */
const expiryHistoryEntry = z.object({
  documentExpiry: z.enum(["expiring", "expired"]),
  observedAt: kycChange.shape.observedAt,
});

/** A record for operators, without the submission's data. */
export const recordDetails = recordSummary
  .extend({
    externalUserId: z.string(),
    version,
    status: kycStatus.nullable(),
    subStatus: z.string().nullable(),
    cardAccountId: z.string().nullable(),
    revision: z.int().nullable().meta({ description: "The revision of the provider's decision." }),
    traceId: z
      .string()
      .nullable()
      .meta({ description: "The trace of the submission; null if it was not traced." }),
    explanation: kycExplanation
      .nullable()
      .meta({ description: "Why the provider refused or rejected it; null if it gave no reason." }),
    history: z.array(recordHistoryEntry).meta({ description: "Oldest first." }),
    ...readingFields,
    renewal: z
      .object({
        kycRecordId,
        resolution,
        status: kycStatus.nullable(),
        replaces: z.boolean().meta({
          description:
            "Whether it was approved, and so replaces this approval, also if the provider revoked it.",
        }),
        createdAt: moment,
      })
      .nullable()
      .meta({ description: "The latest record that renews this one; null without one." }),
    requestHistory: z
      .array(requestHistoryEntry)
      .meta({ description: "The changes of the provider's requests, oldest first." }),
    expiryHistory: z
      .array(expiryHistoryEntry)
      .meta({ description: "The changes of the document's expiry, oldest first." }),
    providerSteps: z.array(providerStep).meta({
      description: "The stored results of the submission's calls to the provider, oldest first.",
    }),
    ...work,
  })
  .meta({ id: "RecordDetails" });
export type RecordDetails = z.output<typeof recordDetails>;

/**
 * A record for operators, with what to do next, the deliveries that reported its changes to platforms, and who opened
 * it.
 */
export const shownRecord = recordDetails
  .extend({
    next: recordNext.meta({ description: "Why the record is as it is, and what to do next." }),
    persons: z
      .array(namedPerson)
      .meta({ description: "The persons whose ids are in the history and in the attempts." }),
    deliveries: z.array(webhookDelivery).meta({ description: "Oldest first." }),
    views: z
      .array(recordView)
      .max(maxRecordViews)
      .meta({
        description:
          "Who opened the record with this operation, newest first: one view for each actor and day, of today and " +
          "yesterday, UTC. The caller's own earlier views are among them; this one is not.",
      }),
    openings: z
      .array(evidenceOpening)
      .max(maxRecordViews)
      .meta({
        description:
          "Who opened the record's evidence, newest first: at least the openings of the last day, and those that an open " +
          "proposal needs.",
      }),
  })
  .meta({ id: "ShownRecord" });
