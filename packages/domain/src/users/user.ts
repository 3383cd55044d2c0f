import * as z from "zod";
import { userState } from "../identity/user-state.ts";
import { moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { resolutions } from "../kyc/record.ts";
import { kycStatus } from "../kyc/status.ts";

export const externalUserId = z
  .stringFormat("external-user-id", idPattern(80))
  .meta({ description: "Our id of the user, such as usr_…, which is also the reference at the provider." });

/** A user by externalUserId. */
export const userId = z.object({ externalUserId }).meta({ id: "User" });

const recordFacts = z.object({
  kycRecordId: z.string(),
  resolution: z.enum(resolutions),
  status: kycStatus.nullable(),
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
    records: z.array(recordFacts).meta({ description: "Newest first." }),
  })
  .meta({ id: "UserFacts" });
export type UserFacts = z.output<typeof userFacts>;
