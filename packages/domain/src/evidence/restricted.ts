import * as z from "zod";
import { moment } from "../input/formats.ts";
import { kycRecordId } from "../kyc/lookup.ts";
import { restrictedReasons } from "../kyc/reasons.ts";

/** The reasons that only compliance may read, with the time of their decision (gap G28). */
export const recordRestrictedReasons = z
  .object({
    kycRecordId,
    reasons: z
      .array(z.object({ reason: z.enum(restrictedReasons), observedAt: moment }))
      .meta({ description: "Oldest first." }),
  })
  .meta({ id: "RestrictedReasons" });
