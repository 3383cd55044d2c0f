import * as z from "zod";
import { kycRecordId } from "../kyc/record-id.ts";
import { kycStatus } from "../kyc/status.ts";
import { platformIds } from "../platforms/inputs.ts";
import { platformId } from "../platforms/platform.ts";
import { changePosition, kycChangeEvent, maxChangesOfPage } from "../webhooks/kyc-changes.ts";

/** Parameters for the changes of the records of several platforms. */
export const recordChangesQuery = z.object({
  platformIds,
  lastEventId: changePosition.optional(),
});

/** A change of a record's state at the provider. Assignments, notes and the need for attention are no changes. */
const recordChangeEvent = z.object({
  id: changePosition,
  timestamp: kycChangeEvent.options[0].shape.timestamp,
  platformId,
  kycRecordId,
  externalUserId: z.string(),
  status: kycStatus.nullable().meta({ description: "The unified status after this change." }),
});
export type RecordChangeEvent = z.output<typeof recordChangeEvent>;

export const recordChangePage = z
  .object({
    changes: z
      .array(recordChangeEvent)
      .max(maxChangesOfPage)
      .meta({
        description:
          "The changes of states at the provider. An assignment, a note or a new need for attention is not among them: read " +
          "records.state for these.",
      }),
    lastEventId: changePosition,
    more: z.boolean(),
  })
  .meta({ id: "RecordChangePage" });
