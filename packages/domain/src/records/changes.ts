import * as z from "zod";
import { kycRecordId } from "../kyc/lookup.ts";
import { platformIds } from "../platforms/inputs.ts";
import { platformId } from "../platforms/platform.ts";
import { changePosition, kycChangeEvent, maxChangesOfPage } from "../webhooks/kyc-changes.ts";

/** Parameters for the changes of the records of several platforms. */
export const recordChangesQuery = z.object({
  platformIds,
  lastEventId: changePosition.optional(),
});

/** A change of a record: of its state at the provider, or of what operators see. */
export const recordChangeEvent = z.object({
  id: changePosition,
  timestamp: kycChangeEvent.shape.timestamp,
  platformId,
  kycRecordId,
  externalUserId: z.string(),
  status: z.string().nullable(),
});
export type RecordChangeEvent = z.output<typeof recordChangeEvent>;

export const recordChangePage = z
  .object({
    changes: z.array(recordChangeEvent).max(maxChangesOfPage),
    lastEventId: changePosition,
    more: z.boolean(),
  })
  .meta({ id: "RecordChangePage" });
export type RecordChangePage = z.output<typeof recordChangePage>;
