import * as z from "zod";
import { moment } from "../input/formats.ts";
import { restrictedReasons } from "../kyc/reasons.ts";
import { kycRecordId } from "../kyc/record-id.ts";

/** The reasons that only compliance may read, with the time of their decision (gap G28). */
export const recordRestrictedReasons = z
  .object({
    kycRecordId,
    reasons: z
      .array(z.object({ reason: z.enum(restrictedReasons), observedAt: moment }))
      .meta({ description: "Oldest first." }),
  })
  .meta({ id: "RestrictedReasons" });
