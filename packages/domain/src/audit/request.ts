import * as z from "zod";
import { idPattern } from "../input/id-pattern.ts";
import { platformIds } from "../platforms/inputs.ts";
import { platformId } from "../platforms/platform.ts";
import { auditEntry } from "./entry.ts";

export const auditedRequestQuery = z.object({
  requestId: z.stringFormat("request-id", idPattern(128)).meta({
    description: "The requestId of an error, or the header x-request-id of a response.",
  }),
  platformIds,
});

/** The audited outcomes of the calls of a request. */
export const auditedRequest = z
  .object({ entries: z.array(auditEntry.extend({ platformId })).max(100) })
  .meta({ id: "AuditedRequest" });
