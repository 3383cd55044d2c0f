import * as z from "zod";
import { moment } from "../input/formats.ts";
import { settlements } from "../kyc/record.ts";
import { kycStatus } from "../kyc/status.ts";

export const externalUserId = z
  .stringFormat("external-user-id", /^[0-9A-Za-z_-]{1,80}$/)
  .meta({ description: "Our own id of the user, such as usr_…, by which the provider knows them." });

const recordFacts = z.object({
  kycRecordId: z.string(),
  settlement: z.enum(settlements),
  status: kycStatus.nullable(),
  createdAt: moment,
});

/** All that people who look after the service are told of a user: ids and statuses, never a name. */
export const userFacts = z
  .object({
    platformId: z.string(),
    externalUserId,
    createdAt: moment,
    erasure: z.enum(["none", "requested", "erased"]),
    records: z.array(recordFacts).meta({ description: "The newest first." }),
  })
  .meta({ id: "UserFacts" });
export type UserFacts = z.output<typeof userFacts>;
