import * as z from "zod";
import { externalUserId, type UserIdentifier } from "../identity/identifier.ts";
import { userState } from "../identity/user-state.ts";
import { moment } from "../input/formats.ts";
import { readingFields } from "../kyc/reading.ts";
import { resolutions } from "../kyc/record.ts";
import { kycStatus } from "../kyc/status.ts";
import { recordNext } from "../records/situations.ts";

/** A user by externalUserId. */
export const userId = z.object({ externalUserId }).meta({ id: "User" });

/** A user of a platform. */
export interface User {
  /** Generated at the first submission, and sent to the provider as the user's reference. */
  externalUserId: string;
}

/** Finds users, for the calls of platforms. */
export interface Users {
  /** Finds a platform's user by either identifier; null if there is none. */
  find(platformId: string, identifier: UserIdentifier): Promise<User | null>;
  /** Whether the platform has a user with this id who is not erased. */
  has(platformId: string, externalUserId: string): Promise<boolean>;
}

const recordFacts = z.object({
  kycRecordId: z.string(),
  resolution: z.enum(resolutions),
  status: kycStatus.nullable(),
  documentExpiry: readingFields.documentExpiry,
  renews: readingFields.renews,
  createdAt: moment,
  needsAttentionSince: moment.nullable(),
});

/** A user for operators: ids and statuses, without personal data. */
export const userFacts = z
  .object({
    platformId: z.string(),
    externalUserId,
    createdAt: moment,
    ...userState.shape,
    version: z.string().meta({
      description:
        "The version of the user's identifiers, records and erasure, for acts that need two persons.",
    }),
    standingApproval: z
      .string()
      .nullable()
      .meta({ description: "The kycRecordId of the approval that counts; null if the user has none." }),
    records: z.array(recordFacts).meta({ description: "Newest first." }),
  })
  .meta({ id: "UserFacts" });
export type UserFacts = z.output<typeof userFacts>;

/** A user with what an operator needs to be sure of the person, and with where they stand. */
export const shownUser = userFacts
  .extend({
    maskedEmail: z.string().nullable().meta({
      description:
        "The first letters of the e-mail, such as a•••@e•••.com; null without one, and after an erasure.",
    }),
    latest: z
      .object({ kycRecordId: z.string(), next: recordNext })
      .nullable()
      .meta({ description: "The latest record with what to do next; null without a record." }),
  })
  .meta({ id: "ShownUser" });
